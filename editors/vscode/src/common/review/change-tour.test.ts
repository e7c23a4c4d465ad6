import { expect, test } from "vitest";
import { nextStop, previousStop, stopAt, tourOf } from "./change-tour.ts";
import { changedFiles } from "./changed-files.ts";
import { peel } from "./peeled-text.ts";
import { presentText } from "./present-text.ts";
import { reviewedFile, reviewOf } from "./testing/review.ts";

const old = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join("");
const now = old.replace("line 2\n", "two\n").replace("line 20\n", "twenty\n");
const texts: Readonly<Record<string, string>> = { "a.ts": now, "b.ts": "new\n" };
const files = changedFiles([
  reviewOf(1, [
    reviewedFile("a.ts", old, now),
    reviewedFile("b.ts", null, "new\n"),
    reviewedFile("c.bin", null, null, { hunks: [], problem: "no text" }),
  ]),
]);
const stops = tourOf(files, ({ path, parts }) =>
  peel(
    presentText(texts[path]),
    parts.map(({ hunks }) => hunks),
  ),
);

test("the tour stops at every hunk of every file, and once at a file without hunks", () => {
  expect(stops.map(({ path, line }) => ({ path, line }))).toEqual([
    { path: "a.ts", line: 2 },
    { path: "a.ts", line: 20 },
    { path: "b.ts", line: 0 },
    { path: "c.bin", line: undefined },
  ]);
});

test("A39: the position is that of the last change above the cursor", () => {
  expect(stopAt(stops, { path: "a.ts", line: 0 })).toBe(undefined);
  expect(stopAt(stops, { path: "a.ts", line: 2 })).toBe(0);
  expect(stopAt(stops, { path: "a.ts", line: 29 })).toBe(1);
  expect(stopAt(stops, { path: "c.bin", line: 0 })).toBe(3);
  expect(stopAt(stops, { path: "other.ts", line: 5 })).toBe(undefined);
  expect(stopAt(stops, undefined)).toBe(undefined);
});

test("A39: next and previous go on into other files and around the end", () => {
  expect(nextStop(stops, undefined)).toBe(0);
  expect(nextStop(stops, { path: "other.ts", line: 5 })).toBe(0);
  expect(nextStop(stops, { path: "a.ts", line: 0 })).toBe(0);
  expect(nextStop(stops, { path: "a.ts", line: 2 })).toBe(1);
  expect(nextStop(stops, { path: "a.ts", line: 25 })).toBe(2);
  expect(nextStop(stops, { path: "b.ts", line: 0 })).toBe(3);
  expect(nextStop(stops, { path: "c.bin", line: 0 })).toBe(0);
  expect(previousStop(stops, { path: "a.ts", line: 20 })).toBe(0);
  expect(previousStop(stops, { path: "a.ts", line: 2 })).toBe(3);
  expect(previousStop(stops, { path: "b.ts", line: 0 })).toBe(1);
  expect(previousStop(stops, undefined)).toBe(3);
  expect(nextStop([], undefined)).toBe(undefined);
  expect(previousStop([], { path: "a.ts", line: 1 })).toBe(undefined);
});
