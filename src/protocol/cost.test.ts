import { expect, test } from "vitest";
import { addCost, costAsJson, costOfAnswer, noCost } from "./cost.ts";

test("answers add up, without the digits that many small sums leave, and those without a price are counted", () => {
  const sum = noCost();
  const usage = { inputTokens: 10, outputTokens: 1 };
  for (const paid of [{ cost: 0.1 }, { cost: 0.2 }, { usage }]) addCost(sum, costOfAnswer(paid));
  expect(sum).toEqual({ dollars: 0.3, unknown: 1 });
  expect(costAsJson(sum)).toEqual({ cost: 0.3, unknownCosts: 1 });
});

test("what failed before its tokens were counted has cost nothing, and what failed later nobody knows", () => {
  const usage = { inputTokens: 10, outputTokens: 1 };
  expect(costOfAnswer({ reason: "failed" })).toEqual(noCost());
  expect(costOfAnswer({ reason: "failed", usage })).toEqual({ dollars: 0, unknown: 1 });
  expect(costOfAnswer({ reason: "stop" })).toEqual({ dollars: 0, unknown: 1 });
});

test("nothing spent is zero, and nothing known is no figure", () => {
  expect(costAsJson(noCost())).toEqual({ cost: 0, unknownCosts: 0 });
  expect(costAsJson({ dollars: 0, unknown: 2 })).toEqual({ cost: null, unknownCosts: 2 });
});
