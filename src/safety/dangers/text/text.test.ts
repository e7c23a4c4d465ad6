import { expect, test } from "vitest";
import { literal, noFlows } from "../../command-line/word.ts";
import { effectsOf, told } from "../testing-effects.ts";

test.each<[string, string[]]>([
  ["cat a - b", ["reads a", "reads b"]],
  ["sort -o out a", ["reads a", "writes out replaces"]],
  ["sort a -oout", ["reads a", "writes out replaces"]],
  [
    "sort --comp ./evil a",
    ["reads a", "danger high its option --compress-program runs a command", "interprets shell ./evil"],
  ],
  ["uniq a out", ["reads a", "writes out replaces"]],
  ["shuf -e a b", []],
  ["shuf -o out a", ["reads a", "writes out replaces"]],
  ["tr a-z A-Z", ["prints decoded"]],
  ["tr -d \\n", []],
  ["tr \\n ,", []],
  ["rev a", ["reads a", "prints decoded"]],
  ["base64 -d a", ["reads a", "prints decoded"]],
  ["base64 a", ["reads a"]],
  ["xxd a out", ["reads a", "writes out replaces"]],
  ["xxd -r -p a", ["reads a", "prints decoded"]],
  ["iconv -f utf-7 -o out a", ["reads a", "writes out replaces", "prints decoded"]],
  ["uudecode -o out a", ["reads a", "writes out replaces", "prints decoded"]],
  ["dos2unix a", ["writes a edits"]],
  ["dos2unix -n a b", ["reads a", "writes b replaces"]],
  ["pbpaste", ["prints private"]],
  ["diff -X skip a b", ["reads a", "reads b", "reads skip"]],
  ["diff --from-file=a b", ["reads b", "reads a"]],
  [
    "sdiff --diff-program=./evil a b",
    ["reads a", "reads b", "danger high its option of that name runs a command", "interprets shell ./evil"],
  ],
  ["xmllint --output out a", ["reads a", "writes out replaces"]],
  ["head -n 20 a", ["reads a"]],
  ["head -20 a", ["reads a"]],
  ["wc --files0-from=list", ["reads list"]],
  ["pee sort wc", ["interprets shell sort", "interprets shell wc"]],
])("filters report what they read, and what an option makes them write or run: %s", (line, effects) => {
  expect(told(effectsOf([], line)).toSorted()).toEqual(effects.toSorted());
});

test("cat passes on its input", () => {
  const text = literal("rm -rf ~");
  expect(effectsOf([], "cat -", { text, flows: noFlows, isGiven: true })).toEqual([{ type: "prints", text }]);
});
