/** Checks that the table of bounds is complete and that no other file defines its own. */

import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { figureOf } from "./bound.ts";
import { areas, bounds } from "./bounds.ts";

const root = join(import.meta.dirname, "..");

/** Maps each path below src to its text, tests excluded. */
async function sources(): Promise<Map<string, string>> {
  const paths = await readdir(root, { recursive: true });
  const ours = paths.filter(
    (path) => /\.tsx?$/u.test(path) && !/\.test\.ts$|testing|store-contract/u.test(path),
  );
  return new Map(ours.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

const table = Object.entries(bounds).flatMap(([area, named]) =>
  Object.entries(named).map(([name, bound]) => ({ area, name, bound })),
);

test("each bound says what it bounds, how far, and what happens beyond it", () => {
  expect(Object.keys(areas)).toEqual(Object.keys(bounds));
  for (const { bound } of table) {
    expect(bound.of.trim().length).toBeGreaterThan(5);
    expect(bound.beyond.trim().length).toBeGreaterThan(5);
    expect(Number.isSafeInteger(bound.most) && bound.most > 0).toBe(true);
  }
  expect(new Set(table.map(({ bound }) => bound.of)).size).toBe(table.length);
});

test("each bound is taken from the table by the code that enforces it", async () => {
  const all = [...(await sources())]
    .filter(([path]) => !path.startsWith("base/bound"))
    .map(([, text]) => text);
  // Code that shows the figure in words is passed the whole bound.
  const isTaken = (area: string, name: string, text: string): boolean =>
    new RegExp(`\\bbounds\\.${area}\\.${name}\\b`, "u").test(text) ||
    (text.includes(`= bounds.${area};`) &&
      (text.includes(`${name}.most`) || text.split(new RegExp(`\\b${name}\\b`, "u")).length > 2));
  const unused = table.filter(({ area, name }) => !all.some((text) => isTaken(area, name, text)));
  expect(unused.map(({ area, name }) => `${area}.${name}`)).toEqual([]);
});

/** Files whose figures are chunk sizes and heuristics, not limits on growth. */
const noBounds: readonly string[] = [
  "base/terminal/line-log.ts",
  "base/safe-fs/open-file.ts",
  "session/workspace-record/plan.ts",
  "surfaces/cli/doctor/doctor.ts",
  "tools/gitignore.ts",
  "tools/large-file.ts",
  "tools/search-workspace.ts",
];

test("no file outside the table defines its own size or time limit", async () => {
  const own = [...(await sources())].flatMap(([path, text]) => {
    if (path.startsWith("base/bound") || noBounds.includes(path)) return [];
    const sizes = text.match(/^.*(?:\d \* (?:1024|mib|2 \*\* [123]0)|= 1024 \*\*).*$/gmu) ?? [];
    const times =
      text.match(/^.*\b(?:wallMs|idleMs|connectMs|firstByteMs|maxKeep|maxBytes): [1-9].*$/gmu) ?? [];
    return [...sizes, ...times].map((line) => `${path}: ${line.trim()}`);
  });
  expect(own).toEqual([]);
});

test("figures are formatted for people", () => {
  expect(figureOf({ most: 8 * 1024 ** 2, unit: "bytes" })).toBe("8 MiB");
  expect(figureOf({ most: 1500, unit: "bytes" })).toBe("1500 bytes");
  expect(figureOf({ most: 64 * 1024, unit: "characters" })).toBe("65,536 characters");
  expect(figureOf({ most: 300, unit: "characters" })).toBe("300 characters");
  expect(figureOf({ most: 600_000, unit: "milliseconds" })).toBe("10 min");
  expect(figureOf({ most: 60_000, unit: "milliseconds" })).toBe("1 min");
  expect(figureOf({ most: 90_000, unit: "milliseconds" })).toBe("1 min 30 s");
  expect(figureOf({ most: 300, unit: "milliseconds" })).toBe("300 ms");
  expect(figureOf({ most: 50_000, unit: "count" })).toBe("50,000");
});
