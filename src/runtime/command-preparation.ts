/** What is loaded and tried for a session's first command: small steps, each done once. */

import { homedir } from "node:os";
import { randomHex } from "../base/crypto.ts";
import { stateDirectory } from "../base/paths.ts";
import { childEnvironment } from "../base/process.ts";
import type { Model } from "../providers/provider.ts";
import { evaluatePolicy, type SandboxState } from "../safety/evaluate-policy.ts";
import { withOtherNames } from "../safety/other-names.ts";
import type { Sandbox } from "../safety/sandbox/sandbox.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import { runCommand } from "../tools/run-command.ts";
import { openSession } from "./open-session.ts";
import { defaultSensitive, policyFor } from "./policy.ts";
import type { SessionSetup } from "./session-setup.ts";

export type CommandSetup = Pick<
  SessionSetup,
  "sandbox" | "workspace" | "home" | "stateDir" | "environment" | "rules" | "sensitive"
>;
export type PreparationStep = () => unknown;

/** Decided on for nothing but the code that it runs, which is compiled when it first runs: what many commands have. */
const line =
  'cd . && for one in *.txt; do sed -n 1p "$one" | sort >out; done; git status 2>&1 || echo "$HOME"';

export const judgingSteps = (setup: CommandSetup): PreparationStep[] => [
  () => decideOn(line, setup),
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

/** One command that reads, and one that writes: it deletes what nobody has. */
export const containingSteps = (setup: CommandSetup): PreparationStep[] => [
  () => setup.sandbox?.(),
  () => rehearse("true", setup),
  async () => {
    // Without an overlay the workspace would be recorded, which the first command does for itself.
    if (await hasOverlay(setup)) await rehearse(`rm -f ${randomHex(16)}`, setup);
  },
  () => lookAtRepository(setup),
];

async function hasOverlay({ sandbox, workspace, stateDir }: CommandSetup): Promise<boolean> {
  const found = await sandbox?.();
  if (!found || found.kind === "none") return false;
  return (await found.overlays({ workspace, stateDir: stateDir ?? stateDirectory(process.env) })).works;
}

/** Runs the command as a session would that nobody keeps: all that a first command needs has then run once. */
async function rehearse(command: string, setup: CommandSetup): Promise<void> {
  const sandbox = await setup.sandbox?.();
  if (!sandbox || sandbox.kind === "none") return;
  const rehearsed: Sandbox = {
    ...sandbox,
    contain: (request) => sandbox.contain({ ...request, rehearsed: true }),
  };
  const store = openMemoryStore();
  try {
    const opened = await openSession({
      ...commandSetupIn(setup),
      store,
      model: commanding(command),
      tools: [runCommand],
      mode: "auto",
      interactive: false,
      sandbox: async () => rehearsed,
    });
    if (!opened.ok) return;
    await opened.value.command({ type: "send", content: [{ type: "text", text: command }] });
    await opened.value.idle();
    await opened.value.close();
  } finally {
    await store.close();
  }
}

/** Nothing else of a session's setup: no addon is to see it, nobody is to be told of it. */
const commandSetupIn = ({
  workspace,
  home,
  stateDir,
  environment,
  rules,
  sensitive,
}: CommandSetup): CommandSetup => ({ workspace, home, stateDir, environment, rules, sensitive });

/** A model that gives the command once, and is done. */
const commanding = (command: string): Model => ({
  name: "rehearsal",
  async *ask({ messages }) {
    const isDone = messages.length > 1;
    const call = { id: "1", name: runCommand.name, input: { command }, source: "native" } as const;
    yield { type: "answer-start", model: "rehearsal" };
    yield isDone ? { type: "text-delta", text: "Done." } : { type: "call-end", call };
    yield { type: "answer-end", reason: isDone ? "stop" : "tool-calls" };
  },
});

/** What its references lead to is recorded before each command that may move them. */
async function lookAtRepository({ workspace, environment }: CommandSetup): Promise<void> {
  const { knowRepository } = await import("./moved-references.ts");
  await knowRepository({ workspace, env: environment ?? childEnvironment(process.env) });
}

export async function startNext(setup: CommandSetup): Promise<void> {
  const sandbox = await setup.sandbox?.();
  if (sandbox && sandbox.kind !== "none") sandbox.startNext?.();
}
