import { expect, test } from "vitest";
import { withoutUndefined } from "./without-undefined.ts";

test("undefined members are dropped, all others stay, and the given object is not changed", () => {
  const given = { none: undefined, nothing: null, no: false, zero: 0, empty: "" };
  expect(Object.keys(withoutUndefined(given))).toEqual(["nothing", "no", "zero", "empty"]);
  expect(Object.keys(given)).toHaveLength(5);
});
