/** The report about an answer is short, true, and safe in a header. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../base/testing/any-character.ts";
import { newAccount, noteRepairs, repairsValue, rescaleUsage, sumOf } from "./account.ts";
import { accountFields } from "./log.ts";

test("an answer without repairs has no repairs value", () => {
  expect(repairsValue(newAccount())).toBeUndefined();
  expect(accountFields({ ...newAccount(), calls: 2 })).toEqual({ calls: 2 });
});

test("repairs are reported by their codes, each once", () => {
  const account = newAccount();
  noteRepairs(account, [{ code: "tool-renamed", detail: "secret words" }]);
  noteRepairs(account, [
    { code: "tool-renamed", detail: "" },
    { code: "number", detail: "" },
  ]);
  noteRepairs(account, []);
  Object.assign(account, { askedAgain: true, unmended: 1, lost: 2, dropped: 3 });
  account.noted.add("fabricated_result");
  expect(repairsValue(account)).toBe(
    'mended=2, codes="tool-renamed number", asked-again, unmended=1, lost=2, dropped=3, noted="fabricated_result"',
  );
  expect(JSON.stringify(accountFields(account))).not.toContain("secret");
});

test("no code breaks a header", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: anyCharacter })), (codes) => {
      const value = repairsValue({ ...newAccount(), mended: 1, codes: new Set(codes) }) ?? "";
      expect(new Headers({ x: value }).get("x")).toBe(value);
      expect(value.match(/"/g)?.length ?? 0).toBe(codes.length > 0 ? 2 : 0);
    }),
  );
});

test("the usage of two answers is added up, with fields that only one of them has", () => {
  const one = { inputTokens: 10, outputTokens: 2, reasoningTokens: 1 };
  expect(sumOf(undefined, one)).toEqual(one);
  expect(sumOf(one, { inputTokens: 5, outputTokens: 1, cacheReadTokens: 3 })).toEqual({
    inputTokens: 15,
    outputTokens: 3,
    cacheReadTokens: 3,
    reasoningTokens: 1,
  });
});

test("usage is unchanged at a scale of 1", () => {
  const usage = { inputTokens: 1, outputTokens: 2 };
  expect(rescaleUsage(usage, 1)).toBe(usage);
});

test("D6: usage is scaled to the context window that the client assumes", () => {
  const usage = { inputTokens: 16_384, outputTokens: 100, cacheReadTokens: 8_192 };
  expect(rescaleUsage(usage, 200_000 / 32_768)).toEqual({
    inputTokens: 100_000,
    outputTokens: 610,
    cacheReadTokens: 50_000,
  });
});
