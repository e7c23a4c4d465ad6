import { expect, test } from "vitest";
import { waitBefore } from "./backoff.ts";

test("waits grow from half a second to at most thirty, with jitter that never reduces them to zero", () => {
  const waits = (random: number) =>
    [1, 2, 3, 4, 5, 6, 7, 20].map((attempt) => waitBefore(attempt, undefined, () => random));
  expect(waits(0)).toEqual([250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
  expect(waits(1)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test("a requested wait is kept and never shortened", () => {
  expect([0, 1].map((random) => waitBefore(3, 7000, () => random))).toEqual([7000, 7250]);
});

test("a requested wait of nothing still grows, so that a server is not asked in a busy loop", () => {
  expect([1, 4].map((attempt) => waitBefore(attempt, 0, () => 1))).toEqual([500, 4000]);
});
