import { expect, test } from "vitest";
import { mostShownBlocks } from "../bounds.ts";
import { hiddenAtFirst, hiddenEarlier, hiddenNext } from "./window.ts";

const most = mostShownBlocks;

test("only the end of a conversation is rendered at first, earlier parts on scrolling", () => {
  expect(hiddenAtFirst(10)).toBe(0);
  expect(hiddenAtFirst(most + 10)).toBe(10);
  expect(hiddenEarlier(most + 10)).toBe(10);
  expect(hiddenEarlier(10)).toBe(0);
});

test("the rendered part stays put while it is read, and is trimmed when following the end", () => {
  expect(hiddenNext(0, 5 * most, false)).toBe(0);
  expect(hiddenNext(0, 2 * most, true)).toBe(0);
  expect(hiddenNext(0, 2 * most + 1, true)).toBe(most + 1);
});
