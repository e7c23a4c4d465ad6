import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../testing/workspace.ts";
import { type Case, resultOf, verdictOn } from "./testing-patch.ts";

const abc = "a\nb\nc\n";
const changed = { f: "a\nB\nc\n" };
const update = ["*** Begin Patch", "*** Update File: f", "@@", " a", "-b", "+B", " c", "*** End Patch"];
const envelope = (...lines: string[]): string[] => ["*** Begin Patch", ...lines, "*** End Patch"];
const unified = (...lines: string[]): string[] => ["--- a/f", "+++ b/f", ...lines];
const hunk = [" a", "-b", "+B", " c"];

const unifiedCases: readonly Case[] = [
  { about: "as it should be", patch: unified("@@ -1,3 +1,3 @@", ...hunk), becomes: changed },
  { about: "no prefixes", patch: ["--- f", "+++ f", "@@ -1,3 +1,3 @@", ...hunk], becomes: changed },
  {
    about: "the same prefix twice",
    patch: ["--- a/f", "+++ a/f", "@@ -1,3 +1,3 @@", ...hunk],
    becomes: changed,
  },
  {
    about: "other folders in front",
    patch: [
      "--- old/f\t2024-01-01 10:00:00.000000000 +0000",
      "+++ new/f\t2024-01-01 10:00:01.000000000 +0000",
      "@@ -1,3 +1,3 @@",
      ...hunk,
    ],
    becomes: changed,
  },
  {
    about: "a backup's name",
    files: { f: abc, "f.orig": abc },
    patch: ["--- f.orig", "+++ f", "@@ -1,3 +1,3 @@", ...hunk],
    becomes: changed,
  },
  {
    about: "two names, of which one is there",
    patch: ["--- a/f", "+++ b/g", "@@ -1,3 +1,3 @@", ...hunk],
    becomes: changed,
  },
  {
    about: "two names that are both there",
    files: { f: abc, g: abc },
    patch: ["--- a/f", "+++ b/g", "@@ -1,3 +1,3 @@", ...hunk],
    refused: "may mean g or f",
  },
  {
    about: "a date behind a space",
    patch: ["--- f 2024-01-01 10:00:00 +0100", "+++ f 2024-01-01 10:00:00", "@@ -1,3 +1,3 @@", ...hunk],
    becomes: changed,
  },
  { about: "no counts", patch: unified("@@ -1 +1 @@", ...hunk), becomes: changed },
  { about: "counts too small", patch: unified("@@ -1,2 +1,2 @@", ...hunk), becomes: changed },
  { about: "counts too big", patch: unified("@@ -1,9 +1,12 @@", ...hunk), becomes: changed },
  { about: "no numbers", patch: unified("@@", ...hunk), becomes: changed },
  { about: "dots for numbers", patch: unified("@@ ... @@", ...hunk), becomes: changed },
  { about: "no @@ behind the numbers", patch: unified("@@ -1,3 +1,3", ...hunk), becomes: changed },
  { about: "wrong numbers", patch: unified("@@ -40,3 +52,3 @@", ...hunk), becomes: changed },
  { about: "number zero", patch: unified("@@ -0,3 +0,3 @@", ...hunk), becomes: changed },
  {
    about: "a huge number",
    patch: unified("@@ -99999999999999999999,3 +1,3 @@", ...hunk),
    becomes: changed,
  },
  {
    about: "the number picks one of two places",
    files: { f: "a\nb\nc\na\nb\nc\nd\n" },
    patch: unified("@@ -4,3 +4,3 @@", ...hunk),
    becomes: { f: "a\nb\nc\na\nB\nc\nd\n" },
  },
  {
    about: "a number between two places",
    files: { f: "a\nb\nc\nx\na\nb\nc\nd\n" },
    patch: unified("@@ -3,3 +3,3 @@", ...hunk),
    refused: "stand at 2 places (lines 1, 5)",
  },
  {
    about: "the end of the file speaks against the number",
    files: { f: "x\na\nb\na\nb\n" },
    patch: unified("@@ -2,2 +2,3 @@", " a", " b", "+c"),
    refused: "stand at 2 places",
  },
  {
    about: "the shift of earlier hunks",
    files: { f: "x\na\nb\nc\na\nb\nc\nd\n" },
    patch: unified("@@ -1 +1,2 @@", "-x", "+y", "+z", "@@ -5,3 +6,3 @@", ...hunk),
    becomes: { f: "y\nz\na\nb\nc\na\nB\nc\nd\n" },
  },
  {
    about: "both numbers wrong by the same",
    files: { f: "1\n2\n3\n4\n5\na\nb\nc\n" },
    patch: unified("@@ -1,3 +1,3 @@", ...hunk),
    becomes: { f: "1\n2\n3\n4\n5\na\nB\nc\n" },
  },
  {
    about: "blank context without its space",
    files: { f: "a\n\nb\nc\n" },
    patch: unified("@@ -1,4 +1,4 @@", " a", "", "-b", "+B", " c"),
    becomes: { f: "a\n\nB\nc\n" },
  },
  {
    about: "blank lines behind",
    patch: [...unified("@@ -1,3 +1,3 @@", ...hunk), "", ""],
    becomes: changed,
  },
  { about: "CRLF throughout", patch: unified("@@ -1,3 +1,3 @@", ...hunk).join("\r\n"), becomes: changed },
  {
    about: "LF, for a CRLF file",
    files: { f: "a\r\nb\r\nc\r\n" },
    patch: unified("@@ -1,3 +1,3 @@", ...hunk),
    becomes: { f: "a\r\nB\r\nc\r\n" },
  },
  {
    about: "only one ending is changed",
    files: { f: "a\r\nb\r\nc\r\n" },
    patch: unified("@@ -1,3 +1,3 @@", " a\r", "-b\r", "+b", " c\r"),
    becomes: { f: "a\r\nb\nc\r\n" },
  },
  {
    about: "the last line feed is added",
    files: { f: "a\nb" },
    patch: unified("@@ -1,2 +1,2 @@", " a", "-b", "\\ No newline at end of file", "+b"),
    becomes: { f: "a\nb\n" },
  },
  {
    about: "the last line feed is taken",
    files: { f: "a\nb\n" },
    patch: unified("@@ -1,2 +1,2 @@", " a", "-b", "+b", "\\ No newline at end of file"),
    becomes: { f: "a\nb" },
  },
  {
    about: "a forgotten note of the missing line feed",
    files: { f: "a\nb" },
    patch: unified("@@ -1,2 +1,2 @@", " a", "-b", "+B"),
    becomes: { f: "a\nB" },
  },
  {
    about: "a wrong note of a missing line feed",
    patch: unified(
      "@@ -1,2 +1,2 @@",
      "-a",
      "\\ No newline at end of file",
      "+A",
      "\\ No newline at end of file",
    ),
    refused: "does not reach the end",
  },
  {
    about: "a code fence",
    patch: ["```diff", ...unified("@@ -1,9 +1,9 @@", ...hunk), "```"],
    becomes: changed,
  },
  {
    about: "a here-document",
    patch: ["git apply <<'EOF'", ...unified("@@ -1,9 +1,9 @@", ...hunk), "EOF"],
    becomes: changed,
  },
  {
    about: "words behind a right hunk",
    patch: [...unified("@@ -1,3 +1,3 @@", ...hunk), "That is all."],
    becomes: changed,
  },
  {
    about: "changed lines behind words",
    patch: [...unified("@@ -1,3 +1,3 @@", ...hunk), "and", "-more"],
    refused: "belongs to no hunk",
  },
  {
    about: "a mail",
    patch: [
      "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001",
      "From: A <a@b>",
      "Subject: [PATCH] B",
      "",
      "- better",
      "---",
      " f | 2 +-",
      " 1 file changed",
      "",
      "diff --git a/f b/f",
      "index 1..2 100644",
      ...unified("@@ -1,3 +1,3 @@", ...hunk),
      "-- ",
      "2.39.5",
      "",
      "",
    ],
    becomes: changed,
  },
  {
    about: "two mails",
    files: { f: abc, g: abc },
    patch: [
      "From 0123456789abcdef Mon",
      "",
      "diff --git a/f b/f",
      ...unified("@@ -1,3 +1,3 @@", ...hunk),
      "-- ",
      "2.39.5",
      "",
      "From 1123456789abcdef Mon",
      "Subject: x",
      "",
      "- words",
      "---",
      "diff --git a/g b/g",
      "--- a/g",
      "+++ b/g",
      "@@ -1,3 +1,3 @@",
      ...hunk,
      "-- ",
      "2.39.5",
    ],
    becomes: { ...changed, g: "a\nB\nc\n" },
  },
  {
    about: "lines that look like headers",
    files: { f: "-- a\nx\n" },
    patch: unified("@@ -1,2 +1,2 @@", "--- a", "+++ b", " x"),
    becomes: { f: "++ b\nx\n" },
  },
  {
    about: "a new file",
    patch: ["--- /dev/null", "+++ b/g", "@@ -0,0 +1,2 @@", "+x", "+y"],
    becomes: { g: "x\ny\n" },
  },
  {
    about: "a new file without a last line feed",
    patch: ["--- /dev/null", "+++ b/g", "@@ -0,0 +1 @@", "+x", "\\ No newline at end of file"],
    becomes: { g: "x" },
  },
  {
    about: "a new file without /dev/null",
    patch: ["--- a/g", "+++ b/g", "@@ -0,0 +1 @@", "+x"],
    becomes: { g: "x\n" },
  },
  {
    about: "a new file with an old date",
    patch: [
      "--- g\t1970-01-01 00:00:00.000000000 +0000",
      "+++ g\t2024-01-01 00:00:00.000000000 +0000",
      "@@ -0,0 +1 @@",
      "+x",
    ],
    becomes: { g: "x\n" },
  },
  {
    about: "a new file that is there",
    patch: ["--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+x"],
    refused: "There is a file f already",
  },
  {
    about: "a new file that is there, without /dev/null",
    patch: unified("@@ -0,0 +1 @@", "+x"),
    refused: "does not tell where",
  },
  {
    about: "a new empty file",
    patch: ["diff --git a/g b/g", "new file mode 100644", "index 0000000..e69de29"],
    becomes: { g: "" },
  },
  {
    about: "a deleted file",
    patch: ["--- a/f", "+++ /dev/null", "@@ -1,3 +0,0 @@", "-a", "-b", "-c"],
    becomes: { f: null },
  },
  {
    about: "a deleted file in an a folder",
    files: { "a/f": abc },
    patch: ["--- a/f", "+++ /dev/null", "@@ -1,3 +0,0 @@", "-a", "-b", "-c"],
    becomes: { "a/f": null },
  },
  {
    about: "a deleted file with more lines",
    patch: ["--- a/f", "+++ /dev/null", "@@ -1,2 +0,0 @@", "-a", "-b"],
    refused: "does not name all of its lines",
  },
  {
    about: "a file that is emptied stays",
    patch: unified("@@ -1,3 +0,0 @@", "-a", "-b", "-c"),
    becomes: { f: "" },
  },
  {
    about: "a rename",
    patch: ["diff --git a/f b/g", "similarity index 100%", "rename from f", "rename to g"],
    becomes: { f: null, g: abc },
  },
  {
    about: "a rename with changes",
    patch: [
      "diff --git a/f b/g",
      "similarity index 60%",
      "rename from f",
      "rename to g",
      "--- a/f",
      "+++ b/g",
      "@@ -1,3 +1,3 @@",
      ...hunk,
    ],
    becomes: { f: null, g: "a\nB\nc\n" },
  },
  {
    about: "renames in a circle",
    files: { f: abc, g: "x\n" },
    patch: [
      "diff --git a/f b/g",
      "rename from f",
      "rename to g",
      "diff --git a/g b/f",
      "rename from g",
      "rename to f",
    ],
    becomes: { f: "x\n", g: abc },
  },
  { about: "a copy", patch: ["diff --git a/f b/g", "copy from f", "copy to g"], becomes: { g: abc } },
  {
    about: "the same file twice",
    patch: [...unified("@@ -1,3 +1,3 @@", ...hunk), ...unified("@@ -1,2 +1,2 @@", "-a", "+A", " B")],
    becomes: { f: "A\nB\nc\n" },
  },
  {
    about: "a quoted name",
    files: { "é\t": abc },
    patch: ['--- "a/\\303\\251\\t"', '+++ "b/\\303\\251\\t"', "@@ -1,3 +1,3 @@", ...hunk],
    becomes: { "é\t": "a\nB\nc\n" },
  },
  {
    about: "a binary patch",
    patch: ["diff --git a/f b/f", "index 1..2 100644", "GIT binary patch", "literal 3", "xyz"],
    refused: "is binary",
  },
  {
    about: "binary files that differ",
    patch: ["diff --git a/f b/f", "index 1..2 100644", "Binary files a/f and b/f differ"],
    refused: "is binary",
  },
  {
    about: "a symbolic link",
    patch: [
      "diff --git a/l b/l",
      "new file mode 120000",
      "--- /dev/null",
      "+++ b/l",
      "@@ -0,0 +1 @@",
      "+/etc/passwd",
      "\\ No newline at end of file",
    ],
    refused: "symbolic link",
  },
  {
    about: "a submodule",
    patch: [
      "diff --git a/l b/l",
      "new file mode 160000",
      "--- /dev/null",
      "+++ b/l",
      "@@ -0,0 +1 @@",
      "+Subproject commit 1",
    ],
    refused: "submodule",
  },
  {
    about: "a diff of a merge",
    patch: ["diff --cc f", "--- a/f", "+++ b/f", "@@@ -1,3 -1,3 +1,3 @@@", "  a", "- b", "++B"],
    refused: "diff of a merge",
  },
  {
    about: "a context diff",
    patch: ["*** f 2024", "--- g 2024", "***************", "*** 1,3 ****"],
    refused: "context diff",
  },
  { about: "a hunk without a file", patch: ["@@ -1,3 +1,3 @@", ...hunk], refused: "names no file" },
  {
    about: "nothing but names",
    patch: ["--- a/f", "+++ b/f"],
    refused: "says nothing of what to change in f",
  },
  {
    about: "an empty hunk",
    patch: unified("@@ -1,0 +1,0 @@"),
    refused: "says nothing of what to change in f",
  },
  {
    about: "a byte order mark that is kept",
    files: { f: "\uFEFFa\nb\nc\n" },
    patch: unified("@@ -1,2 +1,3 @@", "+0", " a", " b"),
    becomes: { f: "\uFEFF0\na\nb\nc\n" },
  },
  {
    about: "a byte order mark that is taken",
    files: { f: "\uFEFFa\nb\n" },
    patch: unified("@@ -1,2 +1,2 @@", "-\uFEFFa", "+a", " b"),
    becomes: { f: "a\nb\n" },
  },
  {
    about: "a byte order mark that is added",
    files: { f: "a\nb\n" },
    patch: unified("@@ -1,2 +1,2 @@", "-a", "+\uFEFFa", " b"),
    becomes: { f: "\uFEFFa\nb\n" },
  },
  {
    about: "insertion without context",
    patch: unified("@@ -1,0 +2 @@", "+x"),
    refused: "does not tell where",
  },
  { about: "a change without context", patch: unified("@@ -2 +2 @@", "-b", "+B"), becomes: changed },
];

const otherCases: readonly Case[] = [
  { about: "nothing", patch: "", refused: "The patch is empty" },
  { about: "blank lines", patch: " \n\n", refused: "The patch is empty" },
  { about: "prose", patch: "Change b to B in f, please.", refused: "This is no patch" },
  { about: "an old diff", patch: "2c2\n< b\n---\n> B\n", refused: "This is no patch" },
  { about: "line breaks spelled out", patch: "*** Replace\\n*** Update\\n", refused: "real line breaks" },
  { about: "half a character", patch: envelope("*** Add File: g", "+\uD800"), refused: "lone surrogate" },
  {
    about: "a path outside",
    patch: envelope("*** Add File: ../g", "+x"),
    refused: "outside the workspace",
  },
  {
    about: "an absolute path outside",
    patch: envelope("*** Delete File: /etc/passwd"),
    refused: "outside the workspace",
  },
  {
    about: "a move outside",
    patch: envelope("*** Update File: f", "*** Move to: ../g"),
    refused: "outside the workspace",
  },
  {
    about: "a rename from outside",
    patch: ["diff --git a/../x b/g", "rename from ../x", "rename to g"],
    refused: "outside the workspace",
  },
  { about: "a path with NUL", patch: envelope("*** Add File: g\0h", "+x"), refused: "NUL" },
  {
    about: "a folder",
    files: { "d/f": abc },
    patch: envelope("*** Update File: d", ...hunk),
    refused: "d is a directory",
  },
  {
    about: "a folder is deleted",
    files: { "d/f": abc },
    patch: envelope("*** Delete File: d"),
    refused: "d is a directory",
  },
  {
    about: "a binary file",
    files: { f: "a\nb\nc\n\0" },
    patch: update,
    refused: "cannot be edited as text",
  },
  {
    about: "a binary file is moved",
    files: { f: "\0\x01" },
    patch: envelope("*** Update File: f", "*** Move to: g"),
    becomes: { f: null, g: "\0\x01" },
  },
  { about: "a home path", patch: envelope("*** Add File: ~/g", "+x"), refused: "not expanded" },
];

let workspace: TemporaryWorkspace;
beforeEach(async () => void (workspace = await temporaryWorkspace({})));
afterEach(() => workspace.remove());

const figure = { right: 0, refused: 0, wrong: 0 };
afterAll(() => {
  console.log(
    `damaged unified diffs: ${figure.right} applied rightly, ${figure.refused} refused, ${figure.wrong} silently wrong`,
  );
});

async function check(one: Case): Promise<void> {
  const { got, wanted, words } = await resultOf(one, workspace.root);
  figure[verdictOn(got, wanted)]++;
  expect(got, words).toEqual(wanted);
}

test.each(unifiedCases)("as a unified diff: $about", check);
test.each(otherCases)("whatever it is: $about", check);
