import { expect, test } from "vitest";
import { bounds } from "../../../base/bounds.ts";
import { hiddenAtFirst, hiddenEarlier, hiddenNext } from "./window.ts";

const { most } = bounds.page.shownBlocks;

test("the end of a conversation is drawn, and earlier parts as they are scrolled to", () => {
  expect(hiddenAtFirst(10)).toBe(0);
  expect(hiddenAtFirst(most + 10)).toBe(10);
  expect(hiddenEarlier(most + 10)).toBe(10);
  expect(hiddenEarlier(10)).toBe(0);
});

test("what is drawn does not move while somebody reads it, and does not grow for ever at the end", () => {
  expect(hiddenNext(0, 5 * most, false)).toBe(0);
  expect(hiddenNext(0, 2 * most, true)).toBe(0);
  expect(hiddenNext(0, 2 * most + 1, true)).toBe(most + 1);
});
