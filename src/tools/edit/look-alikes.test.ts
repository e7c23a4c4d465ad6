import * as fc from "fast-check";
import { expect, test } from "vitest";
import { placeBefore, withoutLookAlikes } from "./look-alikes.ts";

test("look-alike characters are normalized to one form", () => {
  expect(withoutLookAlikes("“a” ‘b’ «c» – — … d\u00A0e\u3000f")).toBe(`"a" 'b' "c" - - ... d e f`);
  expect(withoutLookAlikes("z\u200Be\uFEFFro \u00ADw")).toBe("zero -w");
  expect(withoutLookAlikes("e\u0301 u\u0308 \u1112\u1161\u11AB \u212B (!)")).toBe("é ü 한 Å (!)");
  expect(withoutLookAlikes("plain ASCII 你好 é")).toBe("plain ASCII 你好 é");
});

test("an offset in the normalized text maps to an offset in the original, or to none", () => {
  const text = "a…“b” e\u0301x";
  expect(withoutLookAlikes(text)).toBe('a..."b" éx');
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((place) => placeBefore(text, place))).toEqual([
    0,
    1,
    undefined,
    undefined,
    2,
    3,
    4,
    5,
    6,
    8,
    9,
  ]);
});

test("the text before a mapped offset normalizes to exactly what precedes it in the normalized text", () => {
  const character = fc.constantFrom(
    "a",
    "“",
    "…",
    "\u0301",
    "\u200B",
    "\u1112",
    "\u1161",
    "😀",
    "—",
    " ",
    "(",
  );
  fc.assert(
    fc.property(fc.array(character), fc.nat(20), (characters, place) => {
      const text = characters.join("");
      const plain = withoutLookAlikes(text);
      const before = place <= plain.length ? placeBefore(text, place) : undefined;
      if (before === undefined) return;
      expect(withoutLookAlikes(text.slice(0, before)) + withoutLookAlikes(text.slice(before))).toBe(plain);
      expect(withoutLookAlikes(text.slice(0, before))).toHaveLength(place);
    }),
  );
});
