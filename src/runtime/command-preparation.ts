/** What is loaded and tried for a session's first command: small steps, each done once. */

import { homedir } from "node:os";
import { stateDirectory } from "../base/paths.ts";
import { childEnvironment } from "../base/process.ts";
import type { Profile } from "../protocol/fact-words.ts";
import { evaluatePolicy, type SandboxState } from "../safety/evaluate-policy.ts";
import { withOtherNames } from "../safety/other-names.ts";
import { runCommand } from "../tools/run-command.ts";
import { defaultSensitive, policyFor } from "./policy.ts";
import type { SessionSetup } from "./session-setup.ts";

export type CommandSetup = Pick<
  SessionSetup,
  "sandbox" | "workspace" | "home" | "stateDir" | "environment" | "rules" | "sensitive"
>;
export type PreparationStep = () => unknown;

/** Decided on for nothing but the code that it runs, which is compiled when it first runs: what many commands have. */
const lines = [
  "true",
  'cd . && for one in *.txt; do sed -n 1p "$one" | sort >out; done; git status 2>&1 || echo "$HOME"',
];

export const judgingSteps = (setup: CommandSetup): PreparationStep[] => [
  ...lines.map((command) => () => decideOn(command, setup)),
  () => lookAtNames(setup),
];

async function decideOn(command: string, setup: CommandSetup): Promise<void> {
  const { workspace, home = homedir(), environment = {} } = setup;
  const { judgementOf } = await import("../agent/call/judging.ts");
  const judgement = judgementOf({ command, paths: [] }, undefined, { workspace, home, environment });
  const sandbox: SandboxState = { isOn: true, overlays: { works: true } };
  const policy = policyFor({ ...setup, sandbox, interactive: true }, "auto", []);
  evaluatePolicy({ tool: runCommand.name, does: "execute", paths: [], command, judgement }, policy);
}

/** What a command writes is compared with all names of the workspace's secrets: the first look at them is a long one. */
const lookAtNames = ({ workspace, sensitive = defaultSensitive }: CommandSetup): unknown =>
  withOtherNames(sensitive, workspace)(".");

/** Commands that are prepared as real ones are, and never run. */
export const containingSteps = (setup: CommandSetup): PreparationStep[] => [
  () => setup.sandbox?.(),
  () => rehearse(setup, "read"),
  () => rehearse(setup, "build"),
  () => lookAtRepository(setup),
];

async function rehearse(setup: CommandSetup, profile: Profile): Promise<void> {
  const {
    workspace,
    home = homedir(),
    stateDir = stateDirectory(process.env),
    environment: env = {},
  } = setup;
  const sandbox = await setup.sandbox?.();
  if (!sandbox || sandbox.kind === "none" || sandbox.profiles?.includes(profile) === false) return;
  const overlay = profile === "build" && (await sandbox.overlays({ workspace, stateDir })).works;
  const request = { profile, command: ["true"], directory: workspace, workspace, home, stateDir, env };
  const contained = await sandbox.contain({ ...request, rehearsed: true, ...(overlay ? { overlay } : {}) });
  if (!contained.ok) return;
  const ended = await contained.value.finished();
  await ended.settled();
}

/** What its references lead to is recorded before each command that may move them. */
async function lookAtRepository({ workspace, environment }: CommandSetup): Promise<void> {
  const { knowRepository } = await import("./moved-references.ts");
  await knowRepository({ workspace, env: environment ?? childEnvironment(process.env) });
}

export async function startNext(setup: CommandSetup): Promise<void> {
  const sandbox = await setup.sandbox?.();
  if (sandbox && sandbox.kind !== "none") sandbox.startNext?.();
}
