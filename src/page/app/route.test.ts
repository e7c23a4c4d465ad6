import fc from "fast-check";
import { expect, test } from "vitest";
import { codeIn, hashOf, placeIn } from "./route.ts";

test("an address leads back to the place it was made for", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), (id) => {
      fc.pre(id.isWellFormed() && encodeURIComponent(id).length <= 200);
      expect(placeIn(hashOf({ type: "session", id }))).toEqual({ type: "session", id });
    }),
  );
  expect(placeIn(hashOf({ type: "start" }))).toEqual({ type: "start" });
});

test("any other address leads to the start", () => {
  for (const hash of ["", "#", "#/s/", "#/s/%", "#/s/a/b", "#/x", "#code=abc", `#/s/${"a".repeat(500)}`])
    expect(placeIn(hash)).toEqual({ type: "start" });
});

test("only a well-formed one-time code is accepted", () => {
  expect(codeIn("#code=aB3-_x")).toBe("aB3-_x");
  for (const hash of ["", "#code=", "#code=a b", "#code=a&b=c", "#/s/code=a", `#code=${"a".repeat(500)}`])
    expect(codeIn(hash)).toBeUndefined();
});
