import * as fc from "fast-check";
import { expect, test } from "vitest";
import { divide } from "./coverage.ts";
import { type OverlayDifference, usualCaps } from "./differences.ts";
import type { Side } from "./side.ts";
import { uncoveredInWords } from "./uncovered-words.ts";

const side = (kind: Side["kind"], size = 10, mode = 0o755): Side => ({
  kind,
  size,
  mode,
  changed: 0n,
  modified: 0n,
});
const file = (size?: number): Side => side("file", size);
const directory = (mode?: number): Side => side("directory", 0, mode);
const made = (path: string, after: Side = file()): OverlayDifference => ({ path, before: null, after });
const changed = (path: string, before: Side = file(), after: Side = file()): OverlayDifference => ({
  path,
  before,
  after,
});
const removed = (path: string, before: Side = file()): OverlayDifference => ({ path, before, after: null });
const caps = { changes: 5, fileBytes: 100, allBytes: 200, generated: 2 };

const paths = (list: readonly OverlayDifference[]): string[] => list.map(({ path }) => path).sort();
const covered = (list: readonly OverlayDifference[], unreadable?: Set<string>): string[] =>
  paths(divide(list, caps, unreadable).covered);

test("within the caps every change is covered", () => {
  const list = [changed("a"), removed("b"), made("c"), made("d", directory()), made("d/e")];
  expect(divide(list, usualCaps)).toEqual({ covered: expect.arrayContaining(list), uncovered: [] });
});

test("existing files are covered before new ones, and small groups before large ones", () => {
  const list = [
    ...["1", "2", "3"].map((name) => made(`new/${name}`)),
    ...["1", "2", "3", "4"].map((name) => removed(`old/${name}`)),
    changed("own"),
  ];
  expect(covered(list)).toEqual(["old/1", "old/2", "old/3", "old/4", "own"]);
  expect(covered(list.slice(0, 5))).toEqual(["new/1", "new/2", "new/3", "old/1", "old/2"]);
});

test("a new directory is covered whole or not at all", () => {
  const tree = (name: string, files: number): OverlayDifference[] => [
    made(name, directory()),
    ...Array.from({ length: files }, (_, at) => made(`${name}/${at}`)),
  ];
  expect(covered([...tree("large", 5), ...tree("small", 2), made("x")])).toEqual([
    "small",
    "small/0",
    "small/1",
    "x",
  ]);
});

test("a large file and the new directory around it are not covered, its siblings are", () => {
  const list = [made("d", directory()), made("d/large", file(101)), made("d/small"), changed("e", file(101))];
  expect(covered(list)).toEqual(["d/small"]);
});

test("the bytes before and after a change both count", () => {
  const list = ["a", "b", "c"].map((path) => changed(path, file(99), file(1)));
  expect(covered(list)).toEqual(["a", "b"]);
});

test("generated directories are covered only if they have few files", () => {
  const inside = (root: string, files: number): OverlayDifference[] =>
    Array.from({ length: files }, (_, at) => ({ ...made(`${root}/${at}`), generated: root }));
  const list = [...inside("node_modules", 3), ...inside("sub/node_modules", 2)];
  expect(covered(list)).toEqual(["sub/node_modules/0", "sub/node_modules/1"]);
  expect(uncoveredInWords(divide(list, caps).uncovered, caps)).toEqual(["node_modules: 3 files"]);
});

test("if a file and a directory replace each other, a file too large on one side leaves the other uncovered", () => {
  const turned = [changed("f", file(), directory()), made("f/large", file(101)), made("f/small")];
  expect(covered(turned)).toEqual(["f/small"]);
  const gone = [removed("d/a"), removed("d/b"), changed("d", directory(), file(101))];
  expect(covered(gone)).toEqual([]);
  expect(covered([removed("d/a"), removed("d", directory())], new Set(["d/a"]))).toEqual(["d"]);
});

test("a created or removed directory without read or search permission is not covered", () => {
  const list = [
    made("d", directory(0o333)),
    made("d/e"),
    removed("g/h"),
    removed("g", directory(0o300)),
    changed("m", directory(), directory(0o300)),
  ];
  expect(covered(list)).toEqual(["m"]);
});

test("any number of uncovered changes is summed up in at most 20 lines", () => {
  const differences = fc.array(
    fc.record({
      path: fc.stringMatching(/^[a-d](?:\/[a-d\u0080-\u00ff]){0,3}$/),
      before: fc.constantFrom(null, file(), directory(), side("other")),
      after: fc.constantFrom(null, file(), file(1000), directory(), side("link")),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(differences, (list) => {
      const { covered, uncovered } = divide(list, caps);
      expect(covered.length + uncovered.length).toBe(list.length);
      expect(covered.length).toBeLessThanOrEqual(caps.changes);
      const lines = uncoveredInWords(uncovered, caps);
      expect(lines.length).toBeLessThanOrEqual(20);
      expect(lines.join("")).not.toMatch(/[\u0080-\u00ff]/);
      if (uncovered.some(({ after }) => after?.kind === "file")) expect(lines).not.toEqual([]);
    }),
  );
});
