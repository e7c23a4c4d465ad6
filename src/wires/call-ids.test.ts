import fc from "fast-check";
import { expect, test } from "vitest";
import { processorMs } from "../testing/processor-time.ts";
import { scale } from "../testing/scale.ts";
import { nineCharacterIds, safeIds, type CallIdMapping } from "./call-ids.ts";

const kinds: readonly [string, () => CallIdMapping, RegExp][] = [
  ["safe ids", safeIds, /^[a-zA-Z0-9_-]{1,64}$/],
  ["ids of nine characters", nineCharacterIds, /^[a-zA-Z0-9]{9}$/],
];

test("a valid id is kept, and others are made valid", () => {
  const given = ["abcDEF123", "toolu_01", "functions.read:0", "functions.read.0", "", "é", "x".repeat(80)];
  expect(given.map(safeIds())).toEqual([
    "abcDEF123",
    "toolu_01",
    "functions_read_0",
    "functions_read_0_2",
    "call",
    "_",
    "x".repeat(64),
  ]);
  expect(given.map(nineCharacterIds())).toEqual([
    "abcDEF123",
    "00toolu01",
    "ionsread0",
    "onsread02",
    "000000000",
    "000000002",
    "xxxxxxxxx",
  ]);
});

test.each(kinds)(
  "%s: made ids are valid, distinct for distinct ids, and independent of later ones",
  (_, make, pattern) => {
    const id = fc.oneof(
      fc.string({ maxLength: 70, unit: "grapheme" }),
      fc.constantFrom("a.b", "a_b", "a:b", "a_b_2", "000000001", "1", "01"),
      fc.string({ minLength: 64, maxLength: 90, unit: fc.constantFrom("x", "y") }),
    );
    fc.assert(
      fc.property(fc.array(id, { maxLength: 40 }), fc.nat(), (given, cut) => {
        const made = given.map(make());
        for (const each of made) expect(each).toMatch(pattern);
        expect(new Set(made).size).toBe(new Set(given).size);
        const length = cut % (given.length + 1);
        expect(given.slice(0, length).map(make())).toEqual(made.slice(0, length));
      }),
      { numRuns: 500 * scale },
    );
  },
);

test.each(kinds)("%s: ten thousand similar ids stay distinct in linear time", (_, make) => {
  const given = Array.from(
    { length: 10_000 },
    (_each, at) => `${"ö".repeat(70)}${at}`.slice(0, 70 + (at % 5)) + at,
  );
  const cost = processorMs(() => expect(new Set(given.map(make())).size).toBe(10_000));
  expect(cost).toBeLessThan(2000);
});
