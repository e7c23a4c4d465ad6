/** Tests which steps of a plan count as left out. */

import { expect, test } from "vitest";
import { droppedSteps } from "./dropped-steps.ts";

const steps = (titles: string) => titles.split(" ").map((title) => ({ title }));

test.each([
  ["read test", "read test", []],
  ["read test", "test read", []],
  ["read test", "test", ["read"]],
  ["read read", "read", ["read"]],
  ["read test", "read test lint", []],
  ["read test", "read check", []],
  ["read test lint", "check", ["read", "test", "lint"]],
])("of %j approved as %j these were left out: %j", (proposed, approved, dropped) => {
  expect(droppedSteps(steps(proposed), steps(approved))).toEqual(dropped);
});

test("blanks around a title and other details do not make another step of it", () => {
  expect(droppedSteps([{ title: " read " }], [{ title: "read", detail: "all of it" }])).toEqual([]);
});
