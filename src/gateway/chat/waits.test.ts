import { expect, test } from "vitest";
import { type TimerClock, openWaits } from "./waits.ts";

function clock(): TimerClock & { pass(ms: number): void } {
  let now = 0;
  const due = new Map<() => void, number>();
  return {
    now: () => now,
    after(ms, run) {
      due.set(run, now + ms);
      return () => void due.delete(run);
    },
    pass(ms) {
      now += ms;
      for (const [run, at] of due) if (at <= now && due.delete(run)) run();
    },
  };
}

test("a question shown by two connections expires once, at the time given to both", () => {
  const hand = clock();
  const waits = openWaits(60, hand);
  const expired: string[] = [];
  const one = waits.show("q", () => expired.push("one"));
  hand.pass(20);
  const two = waits.show("q", () => expired.push("two"));
  expect([one.expiresAt, two.expiresAt]).toEqual([60, 60]);
  expect([one.timeoutMs, two.timeoutMs]).toEqual([60, 40]);
  hand.pass(40);
  expect(expired).toEqual(["one"]);
});

test("the timeout stops when the last connection leaves, and starts anew when the question is shown again", () => {
  const hand = clock();
  const waits = openWaits(60, hand);
  const expired: string[] = [];
  const one = waits.show("q", () => expired.push("one"));
  const two = waits.show("q", () => expired.push("two"));
  one.leave();
  one.leave();
  hand.pass(30);
  two.leave();
  hand.pass(100);
  expect(expired).toEqual([]);
  waits.show("q", () => expired.push("three"));
  hand.pass(59);
  expect(expired).toEqual([]);
  hand.pass(1);
  expect(expired).toEqual(["three"]);
});

test("when one of two connections leaves, the other keeps its expiry time", () => {
  const hand = clock();
  const waits = openWaits(60, hand);
  const expired: string[] = [];
  const one = waits.show("q", () => expired.push("one"));
  hand.pass(20);
  waits.show("q", () => expired.push("two"));
  one.leave();
  hand.pass(39);
  expect(expired).toEqual([]);
  hand.pass(1);
  expect(expired).toEqual(["two"]);
});
