import { expect, test } from "vitest";
import { fitsPattern } from "./star-pattern.ts";

test("a pattern without a star is the name itself, and a star stands for anything, also for nothing", () => {
  expect(fitsPattern("read_file", "read_file")).toBe(true);
  expect(fitsPattern("read_file", "read_files")).toBe(false);
  expect(fitsPattern("read_*", "read_")).toBe(true);
  expect(fitsPattern("*", "")).toBe(true);
  expect(fitsPattern("a*b*c", "a-b-b-c")).toBe(true);
  expect(fitsPattern("a*b*c", "acb")).toBe(false);
});

test("pieces do not share letters: what begins and ends with one needs it twice", () => {
  expect(fitsPattern("ab*ba", "aba")).toBe(false);
  expect(fitsPattern("ab*ba", "abba")).toBe(true);
  expect(fitsPattern("a*bc*c", "abc")).toBe(false);
});
