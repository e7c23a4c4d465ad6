import { expect, test } from "vitest";
import { addCost, costAsJson, costOfAnswer, noCost } from "./cost.ts";

test("costs add up without floating-point noise, and answers without a price are counted", () => {
  const sum = noCost();
  const usage = { inputTokens: 10, outputTokens: 1 };
  for (const paid of [{ cost: 0.1 }, { cost: 0.2 }, { usage }]) addCost(sum, costOfAnswer(paid));
  expect(sum).toEqual({ dollars: 0.3, unknown: 1 });
  expect(costAsJson(sum)).toEqual({ cost: 0.3, unknownCosts: 1 });
});

test("an answer that failed before any usage costs nothing; with usage but no price, its cost is unknown", () => {
  const usage = { inputTokens: 10, outputTokens: 1 };
  expect(costOfAnswer({ reason: "failed" })).toEqual(noCost());
  expect(costOfAnswer({ reason: "failed", usage })).toEqual({ dollars: 0, unknown: 1 });
  expect(costOfAnswer({ reason: "stop" })).toEqual({ dollars: 0, unknown: 1 });
});

test("no spending is reported as zero, and an entirely unknown cost as null", () => {
  expect(costAsJson(noCost())).toEqual({ cost: 0, unknownCosts: 0 });
  expect(costAsJson({ dollars: 0, unknown: 2 })).toEqual({ cost: null, unknownCosts: 2 });
});
