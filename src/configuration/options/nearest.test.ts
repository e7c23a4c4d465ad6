import fc from "fast-check";
import { expect, test } from "vitest";
import { didYouMean, editDistance } from "./nearest.ts";

test.each([
  ["mode", "mode", 0],
  ["mdoe", "mode", 1],
  ["mod", "mode", 1],
  ["moder", "mode", 1],
  ["made", "mode", 1],
  ["kitten", "sitting", 3],
  ["", "ab", 2],
  ["", "abc", Infinity],
])("%s → %s takes %d steps", (from, to, steps) => {
  expect(editDistance(from, to)).toBe(steps);
});

test("the distance is symmetric, and zero only between equal words", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
    }),
  );
});

test("the nearest word is suggested, ignoring case", () => {
  expect(didYouMean("MODELS", ["mode", "model", "models"])).toBe(' (did you mean "models"?)');
});

test("nothing is suggested for a distant word, or for a short one that shares no letters", () => {
  expect(didYouMean("banana", ["mode", "model"])).toBe("");
  expect(didYouMean("hi", ["-p", "ask"])).toBe("");
});
