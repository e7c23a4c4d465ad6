/** Checks that the rooms' limits are complete, and that no other file defines its own. */

import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { boundSections } from "../../scripts/docs/bounds.ts";
import { figureOf } from "./bound.ts";

const root = join(import.meta.dirname, "..");

/** Maps each path below src to its text, tests excluded. */
async function sources(): Promise<Map<string, string>> {
  const paths = await readdir(root, { recursive: true });
  const ours = paths.filter(
    (path) => /\.tsx?$/u.test(path) && !/\.test\.ts$|testing|store-contract/u.test(path),
  );
  return new Map(ours.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

const sections = await boundSections(join(root, ".."));
const table = sections.flatMap(({ rows }) => rows);

test("each bound says what it bounds, how far, and what happens beyond it", () => {
  for (const { of, beyond, most } of table) {
    expect(of.trim().length).toBeGreaterThan(5);
    expect(beyond.trim().length).toBeGreaterThan(5);
    expect(Number.isSafeInteger(most) && most > 0).toBe(true);
  }
  expect(new Set(table.map(({ of }) => of)).size).toBe(table.length);
  expect(new Set(sections.map(({ title }) => title)).size).toBe(sections.length);
});

test("each bound is enforced by code that takes its figure", async () => {
  const all = [...(await sources())].filter(([path]) => !path.endsWith("/bounds.ts")).map(([, text]) => text);
  // Code that shows the figure in words is passed the whole bound.
  const isTaken = (name: string): boolean => {
    const [area = "", key = ""] = name.split(".");
    const own = new RegExp(`\\b${area}\\.${key}\\b`, "u");
    const word = new RegExp(`\\b${key}\\b`, "u");
    return all.some(
      (text) =>
        text.includes(area) &&
        (own.test(text) ||
          (text.includes(`= ${area}`) && (text.includes(`${key}.most`) || text.split(word).length > 2))),
    );
  };
  const unused = table.filter(({ name }) => !isTaken(name));
  expect(unused.map(({ name }) => name)).toEqual([]);
});

test("a size or time limit that no table has is a named constant", async () => {
  const own = [...(await sources())].flatMap(([path, text]) => {
    if (/(?:^|\/)bounds?\.ts$/u.test(path)) return [];
    const sizes = text.match(/^.*(?:\d \* (?:1024|mib|kib|2 \*\* [123]0)|= 1024 \*\*).*$/gmu) ?? [];
    const times =
      text.match(/^.*\b(?:wallMs|idleMs|connectMs|firstByteMs|maxKeep|maxBytes): [1-9].*$/gmu) ?? [];
    const isNamed = (line: string): boolean => /^\s*(?:export )?const \w+ = /u.test(line);
    return [...sizes, ...times].filter((line) => !isNamed(line)).map((line) => `${path}: ${line.trim()}`);
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
