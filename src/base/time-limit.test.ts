import { expect, test } from "vitest";
import { withinTime } from "./time-limit.ts";

test("work that ends returns its result, or its exception as a problem", () => {
  expect(withinTime(1000, () => 1 + 1)).toEqual({ ok: true, value: 2 });
  expect(
    withinTime(1000, () => {
      throw new Error("broken");
    }),
  ).toEqual({ ok: false, problem: "broken" });
});

test("endless work is interrupted, in a loop and in a regular expression", () => {
  const late = { ok: false, problem: "it took longer than 50 ms", isLate: true };
  const forEver = (): number => {
    for (let at = 0; ; at += 1) if (at < 0) return at;
  };
  expect(withinTime(50, forEver)).toEqual(late);
  expect(withinTime(50, () => /^(a+)+$/.test(`${"a".repeat(60)}b`))).toEqual(late);
  expect(withinTime(1000, () => "and then goes on")).toEqual({ ok: true, value: "and then goes on" });
});

test("endless recursion is returned as a problem", () => {
  const again = (depth: number): number => again(depth + 1) + 1;
  expect(withinTime(1000, () => again(0))).toMatchObject({ ok: false });
});
