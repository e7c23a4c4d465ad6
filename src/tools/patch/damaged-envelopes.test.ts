/** Damaged patches in the Begin Patch format: their marks, headers and hunks. */

import { test } from "vitest";
import { abc, changed, envelope, hunk, update, patchCheck } from "../../testing/damaged-patches.ts";
import type { PatchCase } from "./testing/patch.ts";

const shop =
  "class Shop:\n    def open(self):\n        self.ready = True\n        return self\n\n    def close(self):\n        self.ready = False\n        return self\n\n\nclass Bank:\n    def open(self):\n        self.ready = True\n        return self\n";
const without = (line: string): string[] => update.filter((one) => one !== line);

const hunkCases: readonly PatchCase[] = [
  { about: "undamaged", patch: update, becomes: changed },
  { about: "no end mark", patch: without("*** End Patch"), becomes: changed },
  { about: "no begin mark", patch: without("*** Begin Patch"), becomes: changed },
  { about: "neither mark", patch: update.slice(1, -1), becomes: changed },
  { about: "no @@ line", patch: without("@@"), becomes: changed },
  { about: "text before the patch", patch: ["Here is the patch:", "", ...update], becomes: changed },
  { about: "text after the patch", patch: [...update, "", "- done", "+ good"], becomes: changed },
  { about: "a code fence", patch: ["```diff", ...update, "```"], becomes: changed },
  {
    about: "a code fence and no end mark",
    patch: ["```", ...without("*** End Patch"), "```"],
    becomes: changed,
  },
  { about: "a here-document", patch: ["apply_patch <<'EOF'", ...update, "EOF"], becomes: changed },
  {
    about: "a here-document without an end mark",
    patch: ['apply_patch << "PATCH"', ...without("*** End Patch"), "PATCH"],
    becomes: changed,
  },
  {
    about: "a here-document in a shell command",
    patch: ["cd /x && apply_patch <<-EOF", ...without("*** End Patch"), "EOF", "echo done"],
    becomes: changed,
  },
  { about: "CRLF throughout", patch: update.join("\r\n"), becomes: changed },
  {
    about: "CRLF throughout, for a CRLF file",
    files: { f: "a\r\nb\r\nc\r\n" },
    patch: `${update.join("\r\n")}\r\n`,
    becomes: { f: "a\r\nB\r\nc\r\n" },
  },
  {
    about: "LF, for a CRLF file",
    files: { f: "a\r\nb\r\nc\r\n" },
    patch: update,
    becomes: { f: "a\r\nB\r\nc\r\n" },
  },
  { about: "a leading byte order mark", patch: `\uFEFF${update.join("\n")}`, becomes: changed },
  { about: "an entirely indented patch", patch: update.map((line) => `    ${line}`), becomes: changed },
  { about: "no final line feed", patch: update.join("\n"), becomes: changed },
  {
    about: "blank lines between all lines",
    patch: envelope("", "*** Update File: f", "", "@@", ...hunk, "", ""),
    becomes: changed,
  },
  {
    about: "two envelopes",
    files: { f: abc, g: "x\n" },
    patch: [...update, ...envelope("*** Update File: g", "-x", "+y")],
    becomes: { ...changed, g: "y\n" },
  },
  {
    about: "marks in lower case, without a space",
    patch: ["***begin patch", "***update file: f", ...hunk, "***end patch"],
    becomes: changed,
  },
  { about: "a path in quotes", patch: envelope("*** Update File: `f`", ...hunk), becomes: changed },
  {
    about: "a path with a leading dot",
    patch: envelope("*** Update File: ./f", ...hunk),
    becomes: changed,
  },
  { about: "a space after the path", patch: envelope("*** Update File: f  ", ...hunk), becomes: changed },
  {
    about: "a unified header below",
    patch: envelope("*** Update File: f", "--- a/f", "+++ b/f", "@@ -1,3 +1,3 @@", ...hunk),
    becomes: changed,
  },
  {
    about: "a unified diff between the marks",
    patch: envelope("--- a/f", "+++ b/f", "@@ -1,3 +1,3 @@", ...hunk),
    becomes: changed,
  },
  {
    about: "line numbers in @@",
    patch: envelope("*** Update File: f", "@@ -1,3 +1,3 @@", ...hunk),
    becomes: changed,
  },
  {
    about: "wrong line numbers in @@",
    patch: envelope("*** Update File: f", "@@ -71,3 +80,3 @@", ...hunk),
    becomes: changed,
  },
  {
    about: "one line number in @@",
    patch: envelope("*** Update File: f", "@@ line 1 @@", ...hunk),
    becomes: changed,
  },
  { about: "dots in @@", patch: envelope("*** Update File: f", "@@ ... @@", ...hunk), becomes: changed },
  {
    about: "a header found nowhere in the file",
    patch: envelope("*** Update File: f", "@@ the middle part", ...hunk),
    becomes: changed,
  },
  {
    about: "blank context without its space",
    files: { f: "a\n\nb\n" },
    patch: envelope("*** Update File: f", "@@", " a", "", "-b", "+B"),
    becomes: { f: "a\n\nB\n" },
  },
  {
    about: "context without its space",
    patch: envelope("*** Update File: f", "@@", "a", "-b", "+B", "c"),
    becomes: changed,
  },
  {
    about: "deep context without its space",
    files: { f: "if x:\n    a\n    b\n" },
    patch: envelope("*** Update File: f", "@@", " if x:", "    a", "-    b", "+    B"),
    becomes: { f: "if x:\n    a\n    B\n" },
  },
  {
    about: "a file without a final line feed",
    files: { f: "a\nb" },
    patch: envelope("*** Update File: f", " a", "-b", "+B"),
    becomes: { f: "a\nB" },
  },
  {
    about: "lines added to a file without a final line feed",
    files: { f: "a\nb" },
    patch: envelope("*** Update File: f", " b", "+c", "*** End of File"),
    becomes: { f: "a\nb\nc" },
  },
  {
    about: "a nested header picks one of two places",
    files: { f: shop },
    patch: envelope(
      "*** Update File: f",
      "@@ class Bank:",
      "@@ def open(self):",
      "-        self.ready = True",
      "+        self.ready = 1",
    ),
    becomes: { f: shop.replace(/True(?!.*True)/s, "1") },
  },
  {
    about: "a nested header picks the first place",
    files: { f: shop },
    patch: envelope(
      "*** Update File: f",
      "@@ class Shop:",
      "@@ def open(self):",
      "-        self.ready = True",
      "+        self.ready = 1",
    ),
    becomes: { f: shop.replace("True", "1") },
  },
  {
    about: "one header with its block",
    files: { f: shop },
    patch: envelope(
      "*** Update File: f",
      "@@ class Shop",
      "         self.ready = True",
      "-        return self",
      "+        return 1",
    ),
    becomes: { f: shop.replace("return self", "return 1") },
  },
  {
    about: "a header with @@ on both sides",
    files: { f: shop },
    patch: envelope(
      "*** Update File: f",
      "@@ class Bank: @@",
      "-        self.ready = True",
      "+        self.ready = 1",
    ),
    becomes: { f: shop.replace(/True(?!.*True)/s, "1") },
  },
  {
    about: "a header that matches two lines",
    files: { f: shop },
    patch: envelope(
      "*** Update File: f",
      "@@ def open(self):",
      "-        self.ready = True",
      "+        self.ready = 1",
    ),
    refused: "stand at 2 places (lines 3, 13)",
  },
  {
    about: "no header where two places match",
    files: { f: shop },
    patch: envelope("*** Update File: f", "-        self.ready = True", "+        self.ready = 1"),
    refused: "stand at 2 places",
  },
  {
    about: "a header after the only place",
    files: { f: shop },
    patch: envelope(
      "*** Update File: f",
      "@@ class Bank:",
      "     def close(self):",
      "-        self.ready = False",
      "+        self.ready = 0",
    ),
    refused: 'above its header "class Bank:" at line 11',
  },
  {
    about: "the order of hunks picks the second place",
    files: { f: shop },
    patch: envelope(
      "*** Update File: f",
      "@@",
      "-        self.ready = False",
      "+        self.ready = 0",
      "@@",
      "-        self.ready = True",
      "+        self.ready = 1",
    ),
    becomes: { f: shop.replace("False", "0").replace(/True(?!.*True)/s, "1") },
  },
  {
    about: "hunks out of order",
    patch: envelope("*** Update File: f", "@@", "-c", "+C", "@@", "-a", "+A"),
    becomes: { f: "A\nb\nC\n" },
  },
  {
    about: "context shared by two hunks",
    patch: envelope("*** Update File: f", "@@", "-a", "+A", " b", "@@", " b", "-c", "+C"),
    becomes: { f: "A\nb\nC\n" },
  },
  {
    about: "the same hunk twice",
    patch: envelope("*** Update File: f", "@@", "-a", "+A", "@@", "-a", "+A"),
    refused: "hunks 1 and 2 change the same place",
  },
  {
    about: "two insertions at the same place",
    patch: envelope("*** Update File: f", "@@", " a", "+1", "@@", " a", "+2"),
    refused: "change the same place",
  },
  {
    about: "a context-only hunk beside another one",
    patch: envelope("*** Update File: f", "@@", " a", "@@", "-c", "+C"),
    becomes: { f: "a\nb\nC\n" },
  },
  {
    about: "context only",
    patch: envelope("*** Update File: f", "@@", " a", " b"),
    refused: "would change nothing",
  },
  {
    about: "lines replaced by themselves",
    patch: envelope("*** Update File: f", "-a", "+a"),
    refused: "would change nothing",
  },
  {
    about: "End of File picks the last of two places",
    files: { f: "a\nb\na\nb\n" },
    patch: envelope("*** Update File: f", " a", "-b", "+B", "*** End of File"),
    becomes: { f: "a\nb\na\nB\n" },
  },
  {
    about: "End of File before the file's actual end",
    patch: envelope("*** Update File: f", "-a", "+A", "*** End of File"),
    becomes: { f: "A\nb\nc\n" },
  },
  {
    about: "only added lines",
    patch: envelope("*** Update File: f", "@@", "+d"),
    refused: "does not tell where",
  },
  {
    about: "only added lines, for the end",
    patch: envelope("*** Update File: f", "@@", "+d", "*** End of File"),
    becomes: { f: "a\nb\nc\nd\n" },
  },
  {
    about: "only added lines below a header",
    files: { f: shop },
    patch: envelope("*** Update File: f", "@@ class Bank:", "+    rate = 1"),
    becomes: { f: shop.replace("class Bank:\n", "class Bank:\n    rate = 1\n") },
  },
  {
    about: "only added lines below an ambiguous header",
    files: { f: shop },
    patch: envelope("*** Update File: f", "@@ def open(self):", "+        pass"),
    refused: "does not tell where",
  },
  {
    about: "an empty file that gets content",
    files: { f: "" },
    patch: envelope("*** Update File: f", "@@", "+a"),
    becomes: { f: "a\n" },
  },
  {
    about: "lines not in the file",
    patch: envelope("*** Update File: f", " a", "-x", "+y"),
    refused: "stand nowhere in the file",
  },
  {
    about: "a patch applied already",
    files: { f: "one\nTWO\nthree\n" },
    patch: envelope("*** Update File: f", " one", "-two", "+TWO", " three"),
    refused: "perhaps it was applied before",
  },
  {
    about: "lost trailing space",
    files: { f: "a  \nb\nc\n" },
    patch: update,
    becomes: { f: "a  \nB\nc\n" },
  },
  {
    about: "less indentation on all lines",
    files: { f: "  one\n  two\n    three\n" },
    patch: envelope("*** Update File: f", " one", "-two", "+2", "   three"),
    becomes: { f: "  one\n  2\n    three\n" },
  },
  {
    about: "curly quotes",
    files: { f: "one\nsay(“hi”, 1)\n" },
    patch: envelope("*** Update File: f", " one", '-say("hi", 1)', '+say("hi", 2)'),
    becomes: { f: "one\nsay(“hi”, 2)\n" },
  },
  {
    about: "an unknown mark",
    patch: envelope("*** Update File: f", "*** Replace All", ...hunk),
    refused: "Line 3 of the patch has a mark that is not known",
  },
  {
    about: "a new file",
    patch: envelope("*** Add File: g/h", "+one", "+", "+two"),
    becomes: { "g/h": "one\n\ntwo\n" },
  },
];

const check = patchCheck("damaged patches in the Begin Patch format");
test.each(hunkCases)("in the Begin Patch format: $about", check);
