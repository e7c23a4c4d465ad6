/** For tests: a clock whose time passes when a test says so. */

import type { FrameTimer } from "../frame-clock.ts";

type HeldTimer = FrameTimer & {
  every(ms: number, tick: () => void): () => void;
  /** Lets time pass, and calls whatever is due in it. */
  pass(ms: number): void;
};

export function heldTimer(): HeldTimer {
  let now = 0;
  const waiting = new Map<() => void, { at: number; every?: number }>();
  return {
    now: () => now,
    after(ms, then) {
      waiting.set(then, { at: now + ms });
      return () => void waiting.delete(then);
    },
    every(ms, tick) {
      waiting.set(tick, { at: now + ms, every: ms });
      return () => void waiting.delete(tick);
    },
    pass(ms) {
      now += ms;
      for (const [then, { at, every }] of Array.from(waiting)) {
        if (at > now || !waiting.delete(then)) continue;
        if (every !== undefined) waiting.set(then, { at: now + every, every });
        then();
      }
    },
  };
}
