import { expect, test } from "vitest";
import { literal, noFlows } from "../../command-line/word.ts";
import { effectsOf, told } from "../testing-effects.ts";
import { patch } from "./patch.ts";

test.each<[string, string[]]>([
  ["patch -p1 -i a.patch", ["reads a.patch", "writes . edits"]],
  ["patch file a.patch", ["reads a.patch", "writes file edits"]],
  ["patch -o out file a.patch", ["reads a.patch", "writes out replaces"]],
  ["patch --dry-run file a.patch", ["reads a.patch", "reads file"]],
  ["patch -d lib -i a.patch", ["reads a.patch", "writes lib edits"]],
  [
    "patch -e file",
    ["danger high it runs its differences as a script of ed, which can run commands", "writes file edits"],
  ],
])("patch reports the files that it changes: %s", (line, effects) => {
  expect(told(effectsOf([patch], line))).toEqual(effects);
});

test("a patch on standard input names the files that it changes", () => {
  const text = literal("--- a/.git/hooks/pre-commit\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+id\n");
  expect(told(effectsOf([patch], "patch -p1", { text, flows: noFlows, isGiven: true }))).toEqual([
    "writes .git/hooks/pre-commit edits",
    "writes .git/hooks/pre-commit edits",
  ]);
});
