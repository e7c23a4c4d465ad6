/** Detects JSON numbers that a double cannot hold. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { losesDigits } from "./long-numbers.ts";

test("a number with more digits than a double holds is detected wherever it stands", () => {
  for (const long of [
    "9007199254740993",
    "-12345678901234567890",
    "0.12345678901234567891",
    "1e400",
    "1e-400",
  ]) {
    expect(losesDigits(long)).toBe(true);
    expect(losesDigits(`{"a":[1,{"b":${long}}]}`)).toBe(true);
  }
  for (const kept of [
    "9007199254740991",
    "9007199254740992",
    "0.1",
    "1.50",
    "1E3",
    "-0",
    "10000000000000000000000",
  ])
    expect(losesDigits(`{"a":[${kept}]}`)).toBe(false);
});

test("digits in a string do not count as a number", () => {
  for (const text of ["12345678901234567890", 'a " 12345678901234567890', "\\12345678901234567890"])
    expect(losesDigits(JSON.stringify({ [text]: text }))).toBe(false);
});

test("a long string of escapes and a long number are read without a deep stack and in linear time", () => {
  expect(losesDigits(JSON.stringify(`${"x\n".repeat(4_000_000)}12345678901234567890`))).toBe(false);
  expect(losesDigits(JSON.stringify("\\".repeat(4_000_000) + "1".repeat(20)))).toBe(false);
  expect(losesDigits(`[1${"0".repeat(1_000_000)}1]`)).toBe(true);
});

test("no value that a double holds is reported as losing digits", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => !losesDigits(JSON.stringify(value))));
});
