/** Amounts entered in a limit's card. */

import { expect, test } from "vitest";
import { readAmount, amountText } from "./limit-amount.ts";

test("an offered amount is written in the limit's unit and read back unchanged", () => {
  for (const [limit, amount, words] of [
    ["rounds", 50, "50"],
    ["calls", 1_200, "1200"],
    ["tokens", 2_000_000, "2000000"],
    ["cost", 0.75, "0.75"],
    ["time", 5_400_000, "90"],
  ] as const) {
    expect(amountText(limit, amount)).toBe(words);
    expect(readAmount(limit, words, 0)).toBe(amount);
  }
});

test("text that is not a number, or an amount already used up, is rejected", () => {
  for (const text of ["", " ", "many", "-3", "NaN", "Infinity", "1e999"])
    expect(readAmount("rounds", text, 0)).toBeUndefined();
  expect(readAmount("rounds", "25", 25)).toBeUndefined();
  expect(readAmount("cost", "0.2", 0.5)).toBeUndefined();
});
