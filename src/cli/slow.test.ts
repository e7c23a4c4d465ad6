import { expect, test } from "vitest";
import { toldWhenSlow } from "./slow.ts";

/** A clock that the test advances. */
function testClock() {
  const ticks = new Set<() => void>();
  const every = (_: number, tick: () => void): (() => void) => {
    ticks.add(tick);
    return () => ticks.delete(tick);
  };
  return {
    clock: { now: () => 0, every },
    tick: () => ticks.forEach((each) => each()),
    waits: () => ticks.size,
  };
}

test("only work that takes longer than a second is reported, once, and no timer is left running", async () => {
  const { clock, tick, waits } = testClock();
  let told = 0;
  const tell = (): number => (told += 1);
  expect(await toldWhenSlow(async () => "quick", tell, clock)).toBe("quick");
  tick();
  expect([told, waits()]).toEqual([0, 0]);
  const gate = Promise.withResolvers<string>();
  const slow = toldWhenSlow(() => gate.promise, tell, clock);
  tick();
  tick();
  gate.reject(new Error("no"));
  await expect(slow).rejects.toThrow("no");
  expect([told, waits()]).toEqual([1, 0]);
});
