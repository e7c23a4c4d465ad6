/** Loads and tries what the first command needs while the model thinks, so that it need not wait for that. */

import { homedir } from "node:os";
import { setImmediate as turnOfLoop, setTimeout as pause } from "node:timers/promises";
import type { AnswerProgress, ReadyCommands } from "../agent/turn-context.ts";
import { stateDirectory } from "../base/paths.ts";
import type { Profile } from "../protocol/fact-words.ts";
import { withOtherNames } from "../safety/other-names.ts";
import { defaultSensitive } from "./policy.ts";
import type { SessionSetup } from "./session-setup.ts";

type CommandSetup = Pick<SessionSetup, "sandbox" | "workspace" | "home" | "stateDir" | "environment">;
type PreparationStep = () => unknown;

/** Milliseconds without anything of the answer, after which the model is thinking. */
const silenceMs = 25;

/**
 * Each part is done once, but for the start of what the next command is given to. A problem is left to the command that
 * meets it; after `closing` nothing more is begun. Nothing is begun either while the answer comes, or its calls run: a
 * model that answers at once needs its rounds more than what may never be used.
 */
export function readyCommands(
  setup: CommandSetup,
  closing: AbortSignal,
): (...thinking: Parameters<ReadyCommands>) => Promise<void> {
  const judged = inSilence([...judgements(setup), () => lookAtNames(setup)], closing);
  const tried = inSilence([setup.sandbox ?? nothing, ...rehearsals(setup)], closing);
  const started = (progress: AnswerProgress): Promise<void> =>
    inSilence([() => startNext(setup)], closing)(progress);
  return async (mode, progress) => {
    const contained = async (): Promise<void> => {
      await tried(progress);
      await started(progress);
    };
    await Promise.all([judged(progress), mode === "trusted" ? undefined : contained()]);
  };
}

const nothing = (): void => undefined;

/** The loop turns between the parts. What is left when the answer is over waits for the next silence. */
function inSilence(
  parts: PreparationStep[],
  closing: AbortSignal,
): (progress: AnswerProgress) => Promise<void> {
  let working: Promise<void> = Promise.resolve();
  const work = async (progress: AnswerProgress): Promise<void> => {
    let heard: number | undefined;
    while (parts.length > 0) {
      await turnOfLoop();
      if (heard !== progress.heard) heard = await silence(progress, closing);
      if (progress.isOver || closing.aborted) return;
      try {
        await parts.shift()?.();
      } catch {
        // The first command meets it, and says so.
      }
    }
  };
  return (progress) => (working = working.then(() => work(progress)));
}

/** How much had come when nothing more came for a while. */
async function silence(progress: AnswerProgress, closing: AbortSignal): Promise<number> {
  let heard: number;
  do {
    ({ heard } = progress);
    await pause(silenceMs, undefined, { signal: closing, ref: false }).catch(nothing);
  } while (heard !== progress.heard && !progress.isOver && !closing.aborted);
  return heard;
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
