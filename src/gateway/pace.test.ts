/** The rate limit of a connection. */

import { expect, test } from "vitest";
import { RateLimit } from "./pace.ts";

const taken = (pace: RateLimit, tries: number, now: number): number =>
  Array.from({ length: tries }, () => pace.take(now)).filter(Boolean).length;

test("a burst of 2,000 is allowed, and then 200 each second", () => {
  const pace = new RateLimit();
  expect(taken(pace, 5_000, 1_000)).toBe(2_000);
  expect(taken(pace, 5_000, 2_000)).toBe(200);
  expect(taken(pace, 5_000, 2_500)).toBe(100);
  expect(taken(pace, 5_000, 3_600_000)).toBe(2_000);
});

test("a clock that is set back neither adds nor removes allowance", () => {
  const pace = new RateLimit();
  taken(pace, 2_000, 10_000);
  expect(taken(pace, 10, 5_000)).toBe(0);
  expect(taken(pace, 300, 6_000)).toBe(200);
});
