import { expect, test } from "vitest";
import { coverageOf, inWords, uncovered } from "./requirements/covered.ts";
import { requirements } from "./requirements/list.ts";

const both = [
  { id: "A1", says: "one" },
  { id: "B2", says: "two" },
  { id: "C3", says: "three", later: "the gateway" },
];

test("a requirement is covered by a test title that gives its id, not by any other text with the id", () => {
  const files = [
    { path: "a.test.ts", text: 'test("A1: this is so and not otherwise", () => {});' },
    {
      path: "b.test.ts",
      text: 'const words = "the key B2 of the keyboard"; test("nothing of it", () => {});',
    },
  ];
  const all = coverageOf(both, files);
  expect(all.map(({ tests }) => tests.length)).toEqual([1, 0, 0]);
  expect(uncovered(all).map(({ id }) => id)).toEqual(["B2"]);
  expect(all.map(inWords)).toEqual([
    "A1  one: 1 test",
    "B2  two: NO TEST",
    "C3  three: waits for the gateway",
  ]);
});

test("each of several ids in one title counts", () => {
  const files = [{ path: "a.test.ts", text: "test(`A1, B2: both are so, and (C3) is as well`);" }];
  expect(coverageOf(both, files).map(({ tests }) => tests.length)).toEqual([1, 1, 1]);
});

test("each requirement is listed once", () => {
  const ids = requirements.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
