import { expect, test } from "vitest";
import { formatCost, formatUsage, shortCost } from "./cost.ts";

test("a cost has as many decimals as are useful: whole cents or fractions of them", () => {
  const known = (dollars: number) => formatCost({ dollars, unknown: 0 });
  expect([0, 0.00001, 0.0042, 0.0999, 0.1, 0.126, 12, 1234.5].map(known)).toEqual([
    "free",
    "less than $0.0001",
    "$0.0042",
    "$0.1",
    "$0.10",
    "$0.13",
    "$12.00",
    "$1234.50",
  ]);
});

test("an unknown cost is never shown as zero", () => {
  expect([0, 0.5].map((dollars) => formatCost({ dollars, unknown: 2 }))).toEqual([
    "unknown",
    "at least $0.50",
  ]);
  expect([0, 0.5].map((dollars) => shortCost({ dollars, unknown: 2 }))).toEqual(["?", "≥$0.50"]);
  expect([0, 0.5, 0.00001].map((dollars) => shortCost({ dollars, unknown: 0 }))).toEqual([
    "free",
    "$0.50",
    "<$0.0001",
  ]);
});

test("the input tokens include those read from the cache", () => {
  expect(formatUsage({ inputTokens: 12_300, outputTokens: 450, cacheReadTokens: 10_000 })).toBe(
    "12,300 tokens in (10,000 cached), 450 out",
  );
  expect(formatUsage({ inputTokens: 5, outputTokens: 0 })).toBe("5 tokens in, 0 out");
});
