/** Loads and tries what the first command needs while the model thinks, so that it need not wait for that. */

import { homedir } from "node:os";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { stateDirectory } from "../base/paths.ts";
import type { Profile } from "../protocol/fact-words.ts";
import type { Mode } from "../protocol/facts.ts";
import { withOtherNames } from "../safety/other-names.ts";
import { defaultSensitive } from "./policy.ts";
import type { SessionSetup } from "./session-setup.ts";

type CommandSetup = Pick<SessionSetup, "sandbox" | "workspace" | "home" | "stateDir" | "environment">;
type PreparationStep = () => unknown;

/**
 * Each part is done once, but for the start of what the next command is given to. A problem is left to the command that
 * meets it; after `closing` nothing more is begun. The loop turns between the parts, so that what the server sends
 * meanwhile is heard.
 */
export function readyCommands(setup: CommandSetup, closing: AbortSignal): (mode: Mode) => Promise<void> {
  const judged = once(() => inTurns([...judgements(setup), () => lookAtNames(setup)], closing));
  const tried = once(() => inTurns([setup.sandbox ?? nothing, ...rehearsals(setup)], closing));
  const prepared = async (): Promise<void> => {
    await tried();
    await inTurns([() => startNext(setup)], closing);
  };
  return async (mode) => {
    await Promise.all([judged(), mode === "trusted" ? undefined : prepared()]);
  };
}

const nothing = (): void => undefined;

async function inTurns(parts: readonly PreparationStep[], closing: AbortSignal): Promise<void> {
  for (const part of parts) {
    await turnOfLoop();
    if (closing.aborted) return;
    try {
      await part();
    } catch {
      // The first command meets it, and says so.
    }
  }
}

/** Judged for nothing but the code that it runs, which is compiled when it first runs: what many commands have. */
const lines = [
  "true",
  'cd . && for one in *.txt; do sed -n 1p "$one" | sort >out; done; git status 2>&1 || echo "$HOME"',
];

const judgements = ({ workspace, home = homedir(), environment = {} }: CommandSetup): PreparationStep[] =>
  lines.map((command) => async () => {
    const { judgementOf } = await import("../agent/call/judging.ts");
    judgementOf({ command, paths: [] }, undefined, { workspace, home, environment });
  });

/** What a command writes is compared with all names of the workspace's secrets: the first look at them is a long one. */
const lookAtNames = ({ workspace }: CommandSetup): unknown =>
  withOtherNames(defaultSensitive, workspace)(".");

/** Commands that are prepared as real ones are, and never run. */
const rehearsals = (setup: CommandSetup): PreparationStep[] => [
  () => rehearse(setup, "read"),
  () => rehearse(setup, "build"),
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
  const layer = profile === "build" && (await sandbox.layers({ workspace, stateDir })).works;
  const request = { profile, command: ["true"], directory: workspace, workspace, home, stateDir, env };
  const contained = await sandbox.contain({ ...request, rehearsed: true, ...(layer ? { layer } : {}) });
  if (!contained.ok) return;
  const ended = await contained.value.finished();
  await ended.settled();
}

async function startNext(setup: CommandSetup): Promise<void> {
  const sandbox = await setup.sandbox?.();
  if (sandbox && sandbox.kind !== "none") sandbox.startNext?.();
}

function once(work: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | undefined;
  return () => (begun ??= work());
}
