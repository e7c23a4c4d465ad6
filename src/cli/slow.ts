/** Tells a person once that silent work takes long, before it looks hung. */

import { type TickingClock, systemClock } from "../tui/line/status-line.ts";

const quickMs = 1_000;

/** Calls `tell` if `work` takes longer than a second. */
export async function toldWhenSlow<T>(
  work: () => Promise<T>,
  tell: () => void,
  clock: TickingClock = systemClock,
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
