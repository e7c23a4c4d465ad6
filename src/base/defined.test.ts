import { expect, test } from "vitest";
import { defined } from "./defined.ts";

test("members without a value are left out, all others stay, and the given object is not changed", () => {
  const given = { none: undefined, nothing: null, no: false, zero: 0, empty: "" };
  expect(Object.keys(defined(given))).toEqual(["nothing", "no", "zero", "empty"]);
  expect(Object.keys(given)).toHaveLength(5);
});
