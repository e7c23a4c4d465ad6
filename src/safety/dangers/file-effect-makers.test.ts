import { expect, test } from "vitest";
import { processorMs } from "../../testing/processor-time.ts";
import { literal, noFlows } from "../command-line/word.ts";
import { around } from "../testing/around.ts";
import { below, directoryOf, nameOf } from "./file-effect-makers.ts";
import { everyProgram } from "./index.ts";
import { useOf } from "./use.ts";

const rows = everyProgram();

test.each([
  "/".repeat(30_000),
  "-".repeat(30_000),
  "a|\\".repeat(10_000),
  "x ".repeat(15_000),
  "((".repeat(15_000),
  "tee".repeat(10_000),
])("no row is slow with a huge argument", (huge) => {
  const words = [literal(huge), literal("-c"), literal(huge), literal(`${huge}x`)];
  const input = { text: literal(huge), flows: noFlows, isGiven: true };
  const slow = rows.filter((row) => {
    const use = useOf(row, { name: row.names[0] ?? "", words, variables: [], input, around });
    return processorMs(() => void [...row.does(use)]) > 500;
  });
  expect(slow.map(({ names }) => names[0])).toEqual([]);
});

test.each([
  ["a/b.txt", "b.txt", "a"],
  ["/etc", "etc", "/"],
  ["docs//", "docs", "."],
  ["..", ".", "."],
  ["/", ".", "/"],
])("the name and the directory of %s are %s and %s", (path, name, directory) => {
  expect([nameOf(literal(path)).text, directoryOf(literal(path)).text]).toEqual([name, directory]);
});

test("a path below a directory is joined with one slash", () => {
  expect(["a", "a/", "/"].map((start) => below(literal(start), literal("x")).text)).toEqual([
    "a/x",
    "a/x",
    "/x",
  ]);
});
