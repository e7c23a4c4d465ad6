/** What takes long without a word is told to a person, once: soon enough that nobody thinks that it hangs. */

import { type Clock, systemClock } from "./status-line.ts";

const quickMs = 1_000;

/** Calls `tell` where `work` is not over after a second. */
export async function toldWhenSlow<T>(
  work: () => Promise<T>,
  tell: () => void,
  clock: Clock = systemClock,
): Promise<T> {
  const stop = clock.every(quickMs, () => {
    stop();
    tell();
  });
  try {
    return await work();
  } finally {
    stop();
  }
}
