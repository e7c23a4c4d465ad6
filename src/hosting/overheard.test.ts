import { expect, test } from "vitest";
import type { Signal } from "../protocol/facts.ts";
import { Overheard } from "./overheard.ts";

const delta = (offset: number, text: string, block = 1): Signal => ({
  type: "text-delta",
  block,
  offset,
  text,
});
const hear = (overheard: Overheard, after: number, signal: Signal): void =>
  overheard.hear({ session: "s1", after, signal });

test("pieces of a block are told once, also where they overlap", () => {
  const overheard = new Overheard();
  for (const piece of [delta(0, "one "), delta(4, "two "), delta(0, "one "), delta(6, "o three")])
    hear(overheard, 3, piece);
  expect(overheard.hasSignals(3)).toBe(true);
  expect(overheard.take(3)).toEqual([delta(0, "one "), delta(4, "two "), delta(8, "three")]);
  expect(overheard.hasSignals(3)).toBe(false);
});

test("signals wait for the facts before them, and are left out behind later ones", () => {
  const overheard = new Overheard();
  hear(overheard, 3, delta(0, "early"));
  hear(overheard, 5, delta(0, "late", 2));
  expect(overheard.take(4)).toEqual([]);
  expect(overheard.hasFacts(4)).toBe(true);
  overheard.reading();
  expect(overheard.hasFacts(4)).toBe(false);
  expect(overheard.take(5)).toEqual([delta(0, "late", 2)]);
});

/** Has looked for what was told before it came. */
function reader(): Overheard {
  const overheard = new Overheard();
  for (const _ of [1, 2]) overheard.stored(undefined);
  return overheard;
}

test("behind a gap what is stored is told, then what continues it", () => {
  const overheard = reader();
  expect(overheard.isBehind).toBe(false);
  hear(overheard, 3, delta(8, "three "));
  expect(overheard.take(3)).toEqual([]);
  expect(overheard.isBehind).toBe(true);
  expect(overheard.stored({ block: 1, kind: "text", text: "one two three " })).toEqual([
    delta(0, "one two three "),
  ]);
  expect(overheard.isBehind).toBe(false);
  hear(overheard, 3, delta(10, "ree four"));
  expect(overheard.take(3)).toEqual([delta(14, "four")]);
  expect(overheard.stored({ block: 1, kind: "text", text: "one" })).toEqual([]);
});

test.each([
  ["before the follower came", () => new Overheard()],
  ["while nothing could be heard", reader],
])("what was told %s is looked for twice: it may be stored later", (when, begin) => {
  const overheard = begin();
  if (when.startsWith("while")) overheard.missed();
  expect(overheard.stored(undefined)).toEqual([]);
  expect(overheard.isBehind).toBe(true);
  expect(overheard.stored({ block: 4, kind: "reasoning", text: "Hm" })).toEqual([
    { type: "reasoning-delta", block: 4, offset: 0, text: "Hm" },
  ]);
  expect(overheard.isBehind).toBe(false);
});

test("a follower that takes nothing holds no more than a few signals", () => {
  const overheard = new Overheard();
  for (let at = 0; at < 10_000; at += 1) hear(overheard, 3, delta(at, "x"));
  expect(overheard.take(3).length).toBeLessThan(300);
  expect(overheard.isBehind).toBe(true);
});
