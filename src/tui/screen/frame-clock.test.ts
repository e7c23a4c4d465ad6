import { expect, test } from "vitest";
import { FrameClock } from "./frame-clock.ts";

/** A clock whose time passes when a test says so. */
function heldTimer() {
  let now = 0;
  const waiting = new Map<() => void, number>();
  return {
    now: () => now,
    after(ms: number, then: () => void) {
      waiting.set(then, now + ms);
      return () => void waiting.delete(then);
    },
    pass(ms: number) {
      now += ms;
      for (const [then, at] of [...waiting])
        if (at <= now && waiting.delete(then)) then();
    },
  };
}

test("while a terminal is resized nothing is painted, and once afterwards, whoever asks for it meanwhile", () => {
  const timer = heldTimer();
  const painted: number[] = [];
  const frames = new FrameClock(timer, () => painted.push(timer.now()));
  timer.pass(10);
  frames.now();
  for (let step = 0; step < 5; step += 1) {
    frames.settle();
    timer.pass(100);
    frames.request();
    frames.now();
  }
  timer.pass(199);
  expect(painted).toEqual([10]);
  timer.pass(1);
  expect(painted).toEqual([10, 710]);
  timer.pass(1_000);
  frames.now();
  expect(painted).toEqual([10, 710, 1_710]);
});
