/** Parsing a diff into blocks, whatever its lines look like. */

import { formatPatch, structuredPatch } from "diff";
import fc from "fast-check";
import { expect, test } from "vitest";
import { badgeOf, type DiffBlock, diffBlocks } from "./diff-blocks.ts";

const small = "--- a/x.txt\n+++ b/x.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";

test("a diff is parsed into headings, hunks, unchanged lines and changes", () => {
  expect(diffBlocks(small)).toEqual([
    { type: "heading", text: "x.txt" },
    { type: "hunk", text: "@@ -1,3 +1,3 @@" },
    { type: "same", lines: [{ number: 1, before: 1, text: "one" }] },
    {
      type: "change",
      removed: [{ number: 2, text: "two" }],
      added: [{ number: 2, text: "2" }],
    },
    { type: "same", lines: [{ number: 3, before: 3, text: "three" }] },
  ]);
});

test("two lines that name one file are one heading; those that name two, or something else, stay", () => {
  const headings = (text: string) =>
    diffBlocks(text).map((block) => ("text" in block ? block.text : block.type));
  expect(headings("--- a/gone\n+++ /dev/null\n")).toEqual(["gone (deleted)"]);
  for (const lines of [
    ["--- a/x", "+++ b/y"],
    ["--- /dev/null", "+++ /dev/null"],
    ["--- x", "+++ x"],
  ])
    expect(headings(`${lines.join("\n")}\n`)).toEqual(lines);
});

test("a file's line that looks like a heading is shown as a line", () => {
  const text = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/secret\n+++ b/harmless\n @@ -1 +1 @@\n";
  expect(diffBlocks(text).slice(2)).toEqual([
    {
      type: "change",
      removed: [{ number: 1, text: "-- a/secret", marked: undefined }],
      added: [{ number: 1, text: "++ b/harmless" }],
    },
    { type: "same", lines: [{ number: 2, before: 2, text: "@@ -1 +1 @@" }] },
  ]);
});

test("an unchanged line has its number on both sides", () => {
  const text = "@@ -1,2 +1,3 @@\n+new\n one\n two\n";
  expect(diffBlocks(text).at(-1)).toEqual({
    type: "same",
    lines: [
      { number: 2, before: 1, text: "one" },
      { number: 3, before: 2, text: "two" },
    ],
  });
});

test("invisible characters and bidi overrides are made visible", () => {
  const text = "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\u202Eb\u200Bc\u001B[2Jd\r\n";
  expect(diffBlocks(text).at(-1)).toEqual({
    type: "change",
    removed: [],
    added: [{ number: 1, text: "a⟨U+202E⟩b⟨U+200B⟩c␛[2Jd␍" }],
  });
});

test("a whole-file replacement without hunks is parsed, and the next heading starts another file", () => {
  const text = "--- a/x\n+++ b/x\n--- a/old\n+new\n\nnew link y\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+t\n";
  expect(diffBlocks(text)).toEqual([
    { type: "heading", text: "x" },
    { type: "change", removed: [{ text: "-- a/old" }], added: [{ text: "new" }] },
    { type: "heading", text: "new link y" },
    { type: "heading", text: "y (new)" },
    { type: "hunk", text: "@@ -0,0 +1 @@" },
    { type: "change", removed: [], added: [{ number: 1, text: "t" }] },
  ]);
});

test("a missing final newline is noted beside its line, and a cut diff keeps its note", () => {
  const text =
    "@@ -1 +1,9 @@\n-a\n\\ No newline at end of file\n+b\n+c\n[the diff goes on for 7 more lines]\n";
  expect(diffBlocks(text)).toEqual([
    { type: "hunk", text: "@@ -1 +1,9 @@" },
    {
      type: "change",
      removed: [{ number: 1, text: "a", note: "No newline at end of file" }],
      added: [
        { number: 1, text: "b" },
        { number: 2, text: "c" },
      ],
    },
    { type: "heading", text: "[the diff goes on for 7 more lines]" },
  ]);
});

test("the differing part of a line is marked, never splitting a character", () => {
  const text = "@@ -1 +1 @@\n-let 😀 = one(1);\n+let 😃 = one(1);\n";
  const change = diffBlocks(text).at(-1);
  expect(change).toEqual({
    type: "change",
    removed: [{ number: 1, text: "let 😀 = one(1);", marked: { from: 4, to: 6 } }],
    added: [{ number: 1, text: "let 😃 = one(1);", marked: { from: 4, to: 6 } }],
  });
});

const side = (blocks: readonly DiffBlock[], which: "removed" | "added"): string[] =>
  blocks.flatMap((block) => {
    if (block.type === "same") return block.lines.map(({ text }) => text);
    return block.type === "change" ? block[which].map(({ text }) => text) : [];
  });

test("each side of a parsed diff has that file's text, whatever the files contain", () => {
  const line = fc.constantFrom("", "a", "-- a/x", "++ b/x", "@@ -1 +1 @@", "b", "\\ No", "- ", "+");
  const file = fc.array(line, { maxLength: 12 }).map((lines) => lines.map((each) => `${each}\n`).join(""));
  fc.assert(
    fc.property(file, file, (old, now) => {
      const patch = structuredPatch("a/x", "b/x", old, now, undefined, undefined, { context: 100 });
      const blocks = diffBlocks(
        formatPatch(patch, { includeIndex: false, includeUnderline: false, includeFileHeaders: true }),
      );
      if (old === now) return;
      expect(side(blocks, "removed")).toEqual(old.split("\n").slice(0, -1));
      expect(side(blocks, "added")).toEqual(now.split("\n").slice(0, -1));
      const changed = patch.hunks.flatMap(({ lines }) => lines);
      expect(badgeOf(blocks)).toEqual({
        added: changed.filter((each) => each.startsWith("+")).length,
        removed: changed.filter((each) => each.startsWith("-")).length,
      });
    }),
  );
});
