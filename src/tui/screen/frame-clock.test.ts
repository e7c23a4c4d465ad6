import { expect, test } from "vitest";
import { FrameClock } from "./frame-clock.ts";
import { heldTimer } from "./testing/timer.ts";

test("while a terminal is resized nothing is painted, and once afterwards, whoever asks for it meanwhile", () => {
  const timer = heldTimer();
  const painted: number[] = [];
  const frames = new FrameClock(timer, () => {
    painted.push(timer.now());
    return false;
  });
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
