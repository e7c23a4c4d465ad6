/** Formatting of figures on the page. */

import { expect, test } from "vitest";
import { contextWords, costOf, share, shortCount, usageRows } from "./meter-words.ts";

test("token counts are abbreviated", () => {
  const shown = [0, 999, 1_000, 1_249, 9_949, 9_950, 14_400, 999_499, 999_500, 1_200_000];
  expect(shown.map(shortCount)).toEqual([
    "0",
    "999",
    "1k",
    "1.2k",
    "9.9k",
    "10k",
    "14k",
    "999k",
    "1M",
    "1.2M",
  ]);
});

test("the context meter shows the provider's token count", () => {
  const context = { overflows: 0, isShortened: false, isSummarised: false };
  const counted = { messages: 3, tokens: 12_000, answer: 300, model: "m" };
  expect(contextWords({ context: { ...context, counted } }, undefined)).toBe("12k");
  expect(contextWords({ context }, undefined)).toBe("0");
});

test("usage rows without tokens are omitted, except input and output", () => {
  expect(usageRows({ inputTokens: 12_300, outputTokens: 0 })).toEqual([
    { name: "Read by the model", tokens: "12,300" },
    { name: "Written by the model", tokens: "0" },
  ]);
  expect(usageRows({ inputTokens: 5, outputTokens: 4, reasoningTokens: 3 })).toHaveLength(3);
});

test("a cost includes the number of answers without a known price", () => {
  expect(costOf({ cost: 0.25, unpriced: 2 })).toEqual({ dollars: 0.25, unknown: 2 });
});

test("a share is between 0 and 100, even of zero", () => {
  expect([share(1, 0), share(5, 4), share(-1, 4), share(1, 3)]).toEqual([0, 100, 0, 33]);
});
