/** Loads and tries what the first command needs while the model thinks, so that it need not wait for that. */

import { setImmediate as turnOfLoop, setTimeout as pause } from "node:timers/promises";
import type { AnswerProgress, ReadyCommands } from "../agent/turn-context.ts";
import type { CommandSetup, PreparationStep } from "./command-preparation.ts";

/** Milliseconds without anything of the answer, after which the model is thinking. */
const silenceMs = 25;

/**
 * Each step is done once, but for the start of what the next command is given to. A problem is left to the command that
 * meets it; after `closing` nothing more is begun. Nothing is begun either while the answer comes, or its calls run: a
 * model that answers at once needs its rounds more than what may never be used.
 */
export function readyCommands(
  setup: CommandSetup,
  closing: AbortSignal,
): (...thinking: Parameters<ReadyCommands>) => Promise<void> {
  const judged = inSilence(async () => (await load()).judgingSteps(setup), closing);
  const contained = inSilence(async () => (await load()).containingSteps(setup), closing);
  const started = (progress: AnswerProgress): Promise<void> =>
    inSilence(async () => [async () => (await load()).startNext(setup)], closing)(progress);
  return async (mode, progress) => {
    const isContained = mode !== "trusted";
    await Promise.all([
      judged(progress),
      isContained ? contained(progress).then(() => started(progress)) : undefined,
    ]);
  };
}

const load = () => import("./command-preparation.ts");

/** The loop turns between the steps. What is left when the answer is over waits for the next silence. */
function inSilence(
  stepsOf: () => Promise<PreparationStep[]>,
  closing: AbortSignal,
): (progress: AnswerProgress) => Promise<void> {
  let steps: PreparationStep[] | undefined;
  let working: Promise<void> = Promise.resolve();
  const work = async (progress: AnswerProgress): Promise<void> => {
    let heard: number | undefined;
    while (steps === undefined || steps.length > 0) {
      await turnOfLoop();
      if (heard !== progress.heard) heard = await silence(progress, closing);
      if (progress.isOver || closing.aborted) return;
      steps ??= await stepsOf();
      try {
        await steps.shift()?.();
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
    await pause(silenceMs, undefined, { signal: closing, ref: false }).catch(() => undefined);
  } while (heard !== progress.heard && !progress.isOver && !closing.aborted);
  return heard;
}
