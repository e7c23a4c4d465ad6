import fc from "fast-check";
import { expect, test } from "vitest";
import { priceTable, pricesAsOf } from "./price-table.ts";
import { costOf, type OwnPrices } from "./prices.ts";

const at = Date.parse("2026-11-22T12:00:00Z");
const million = { inputTokens: 1_000_000, outputTokens: 1_000_000 };

const cost = (asked: string, usage = million, own: OwnPrices = {}, answeredBy = ""): number | undefined =>
  costOf({ asked, answeredBy, usage, at }, own);

test("cached tokens are billed at their own price and not a second time as input", () => {
  const usage = { inputTokens: 10_000, outputTokens: 1000, cacheReadTokens: 6000, cacheWriteTokens: 3000 };
  const own = { "a/b": { input: 10, output: 20, cacheRead: 1, cacheWrite: 12.5 } };
  expect(cost("a/b", usage, own)).toBe(0.0735); // 1,000 · 10 + 6,000 · 1 + 3,000 · 12.5 + 1,000 · 20
  expect(cost("a/b", usage, { "a/b": { input: 10, output: 20 } })).toBe(0.12);
});

test("a model without a price has an undefined cost rather than zero", () => {
  expect(cost("somebody/something")).toBeUndefined();
  expect(cost("openrouter/auto")).toBeUndefined();
});

test("a price also applies to the model's dated versions, but to no other name with the same prefix", () => {
  const own = { "a/big": { input: 1, output: 0 } };
  for (const name of ["a/big", "a/big-20260928", "a/big-2026-09-28", "a/big-latest", "A/Big"])
    expect(cost(name, million, own), name).toBe(1);
  for (const name of ["a/big-mini", "a/bigger", "a/big-2026", "b/big", "big"])
    expect(cost(name, million, own), name).toBeUndefined();
});

test("the user's prices override the table's, exact names override patterns, and longer patterns shorter ones", () => {
  const [row] = priceTable;
  const name = row?.model ?? "";
  const priced = (input: number) => ({ input, output: 0 });
  expect(cost(name, million, { [name]: priced(7) })).toBe(7);
  expect(cost(name, million, { "*": priced(7) })).toBe(7);
  const own = { "*": priced(1), "a/*": priced(2), "a/*-mini": priced(3), "a/x-mini": priced(4) };
  expect(["b/x", "a/x", "a/y-mini", "a/x-mini"].map((model) => cost(model, million, own))).toEqual([
    1, 2, 3, 4,
  ]);
});

test("the requested model's price applies; if it has none, that of the model that answered", () => {
  const both = { "a/named": { input: 1, output: 0 }, "a/real": { input: 3, output: 0 } };
  expect(cost("a/named", million, both, "real")).toBe(1);
  const own = { "a/real": { input: 3, output: 0 } };
  expect(cost("a/auto", million, own, "real")).toBe(3);
  expect(cost("a/auto", million, own, "other")).toBeUndefined();
});

test("a prompt above a row's upTo is priced by the next row, or has no cost if there is none", () => {
  const tiered = priceTable.filter(({ upTo }) => upTo !== undefined);
  for (const { model, upTo = 0, input } of tiered) {
    const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 0 });
    expect(cost(model, usage(upTo)), model).toBeCloseTo((upTo * input) / 1e6, 9);
    const above = priceTable.find((row) => row.model === model && row.upTo === undefined);
    const expected = above && ((upTo + 1) * above.input) / 1e6;
    if (expected === undefined) expect(cost(model, usage(upTo + 1)), model).toBeUndefined();
    else expect(cost(model, usage(upTo + 1)), model).toBeCloseTo(expected, 9);
  }
  expect(tiered.length).toBeGreaterThan(3);
});

test("a price with an end date is unknown after it", () => {
  for (const { model, until } of priceTable)
    if (until !== undefined) {
      const asked = { asked: model, answeredBy: "", usage: { inputTokens: 1, outputTokens: 1 } };
      expect(costOf({ ...asked, at: Date.parse(`${until}T23:59:59Z`) })).toBeGreaterThan(0);
      expect(costOf({ ...asked, at: Date.parse(`${until}T23:59:59Z`) + 2000 })).toBeUndefined();
    }
});

test("every row is sound: a provider/model name, and no cache write cheaper than a cache read", () => {
  expect(Date.parse(pricesAsOf)).toBeGreaterThan(0);
  for (const { model, input, output, cacheRead = input, cacheWrite = input } of priceTable) {
    expect(model).toMatch(/^[a-z]+\/\S+$/u);
    expect([input > 0, output >= input, cacheRead <= input, cacheWrite >= cacheRead], model).toEqual(
      Array.from({ length: 4 }, () => true),
    );
  }
});

test("no pattern makes costOf slow or throw, and no cost is negative", () => {
  const tokens = fc.nat(10_000_000);
  const usage = fc.record({
    inputTokens: tokens,
    outputTokens: tokens,
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
  });
  const pattern = fc.string({ unit: fc.constantFrom("a", "*", "/", "b") });
  fc.assert(
    fc.property(pattern, pattern, usage, (name, written, used) => {
      const paid = costOf(
        { asked: name, answeredBy: "a", usage: used, at },
        { [written]: { input: 1, output: 1 } },
      );
      expect(paid === undefined || paid >= 0).toBe(true);
    }),
  );
  expect(
    cost("a".repeat(50_000), million, { [`${"a*".repeat(5000)}b`]: { input: 1, output: 1 } }),
  ).toBeUndefined();
});
