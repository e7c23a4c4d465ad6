import { expect, test } from "vitest";
import { readNames } from "./named-paths.ts";

const covered = (names: string[], paths: string[]): string[] => paths.filter(readNames(names).covers);

test("a name covers itself and everything below it", () => {
  const paths = ["src", "src/a.ts", "src/deep/b.ts", "src2/a.ts", "a.ts"];
  expect(covered(["src"], paths)).toEqual(["src", "src/a.ts", "src/deep/b.ts"]);
  expect(covered(["./src/deep/../a.ts"], paths)).toEqual(["src/a.ts"]);
  expect(covered(["src/deep//"], paths)).toEqual(["src/deep/b.ts"]);
  expect(covered(["."], paths)).toEqual(paths);
  expect(covered([], paths)).toEqual([]);
});

test("a pattern covers the paths it may match, segment by segment", () => {
  const paths = ["a.csv", "b.csv", "data/a.csv", ".hidden.csv", ".git/config", "a.csvx", "aXb", "dist/x/y"];
  expect(covered(["*.csv"], paths)).toEqual(["a.csv", "b.csv"]);
  expect(covered(["[ab].csv"], paths)).toEqual(["a.csv", "b.csv"]);
  expect(covered(["d*/?.csv"], paths)).toEqual(["data/a.csv"]);
  expect(covered(["*"], paths)).toEqual(paths.filter((path) => !path.startsWith(".")));
  expect(covered([".*"], paths)).toEqual([".hidden.csv", ".git/config"]);
  expect(covered(["a*b"], paths)).toEqual(["aXb"]);
  expect(covered(["di*"], paths)).toEqual(["dist/x/y"]);
  expect(covered(["a*a.csv"], paths)).toEqual([]);
});

test("an unknown part of a name matches anything; an entirely unknown segment matches nothing", () => {
  const paths = ["out-1.txt", "out-2.txt", "other"];
  expect(covered(["out-\0.txt"], paths)).toEqual(["out-1.txt", "out-2.txt"]);
  expect(covered(["\0", "src/\0"], [...paths, "src/a"])).toEqual([]);
});

test("names that lead out of the workspace cover nothing", () => {
  expect(readNames(["..", "../x", "/etc", "a/../../b", "/*"]).paths).toEqual([]);
});

test("a pattern of many stars is matched without exponential time", () => {
  const { covers } = readNames([`${"*a".repeat(200)}b`]);
  expect(covers("a".repeat(250))).toBe(false);
});
