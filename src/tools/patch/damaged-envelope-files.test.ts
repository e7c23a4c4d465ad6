/** Damaged patches in the Begin Patch format that create, delete and move files. */

import { test } from "vitest";
import { abc, changed, envelope, hunk, patchCheck } from "../../testing/damaged-patches.ts";
import type { PatchCase } from "./testing/patch.ts";

const fileCases: readonly PatchCase[] = [
  {
    about: "a new file under Create File",
    patch: envelope("*** Create File: g", "+one"),
    becomes: { g: "one\n" },
  },
  {
    about: "a new file whose blank lines lost their plus sign",
    patch: envelope("*** Add File: g", "+one", "", "+two", ""),
    becomes: { g: "one\n\ntwo\n" },
  },
  {
    about: "a new file with @@",
    patch: envelope("*** Add File: g", "@@ -0,0 +1 @@", "+one"),
    becomes: { g: "one\n" },
  },
  {
    about: "a new file under unified headers",
    patch: envelope("*** Add File: g", "--- /dev/null", "+++ b/g", "@@ -0,0 +1 @@", "+one"),
    becomes: { g: "one\n" },
  },
  { about: "a new empty file", patch: envelope("*** Add File: g"), becomes: { g: "" } },
  {
    about: "a new file without plus signs",
    patch: envelope("*** Add File: g", "one", "", "  two", "@@ three"),
    becomes: { g: "one\n\n  two\n@@ three\n" },
  },
  {
    about: "a new file without plus signs that may be context or a list",
    patch: envelope("*** Add File: g", " one", " two"),
    refused: 'Line 3 of the patch does not begin with "+"',
  },
  {
    about: "a new file without plus signs that starts with a list",
    patch: envelope("*** Add File: g", "- one", "- two"),
    refused: 'Line 3 of the patch does not begin with "+"',
  },
  {
    about: "a new file without plus signs in a code fence",
    patch: envelope("*** Add File: g", "```", "one", "```"),
    refused: 'Line 3 of the patch does not begin with "+"',
  },
  {
    about: "a new file with plus signs on some lines only",
    patch: envelope("*** Add File: g", "+one", "  two"),
    refused: 'Line 4 of the patch does not begin with "+"',
  },
  {
    about: "a new file without plus signs on its first lines",
    patch: envelope("*** Add File: g", "one", "+ two"),
    refused: 'Line 4 of the patch begins with "+"',
  },
  {
    about: "a new file that exists already",
    patch: envelope("*** Add File: f", "+x"),
    refused: "There is a file f already",
  },
  {
    about: "the same new file twice",
    patch: envelope("*** Add File: g", "+x", "*** Add File: g", "+y"),
    refused: "makes g twice",
  },
  {
    about: "a new file below a file",
    patch: envelope("*** Add File: f/g", "+x"),
    refused: "There can be no file f/g: f is a file",
  },
  {
    about: "a new file below a new file",
    patch: envelope("*** Add File: g", "+x", "*** Add File: g/h", "+y"),
    refused: "There can be no file g/h: g is a file",
  },
  { about: "a deleted file", patch: envelope("*** Delete File: f"), becomes: { f: null } },
  {
    about: "a deleted file with its lines",
    patch: envelope("*** Delete File: f", "-a", "-b", "-c"),
    becomes: { f: null },
  },
  {
    about: "a deleted file with other lines",
    patch: envelope("*** Delete File: f", "-a", "-b"),
    refused: "does not name all of its lines",
  },
  {
    about: "deletion of a missing file",
    patch: envelope("*** Delete File: g"),
    refused: "There is no file g",
  },
  {
    about: "update of a missing file",
    patch: envelope("*** Update File: g", ...hunk),
    refused: "There is no file g",
  },
  {
    about: "a file deleted and created again",
    patch: envelope("*** Delete File: f", "*** Add File: f", "+x"),
    becomes: { f: "x\n" },
  },
  {
    about: "a file created again and deleted",
    patch: envelope("*** Add File: f", "+x", "*** Delete File: f"),
    refused: "The patch makes f and deletes it",
  },
  {
    about: "a file created and deleted",
    patch: envelope("*** Add File: g", "+x", "*** Delete File: g"),
    refused: "would change nothing",
  },
  {
    about: "lines with the file's indentation after others without it",
    files: { f: "class A:\n    def go(self):\n        for one in all:\n            use(one)\n" },
    patch: envelope("*** Update File: f", " for one in all:", "-    use(one)", "+            use(one, 1)"),
    refused: "how to indent what it adds is not plain",
  },
  {
    about: "new lines with the file's indentation in place of others without it",
    files: { f: "class A:\n    def go(self):\n        for one in all:\n            use(one)\n" },
    patch: envelope(
      "*** Update File: f",
      "-for one in all:",
      "-    use(one)",
      "+        for one in all:",
      "+            use(one, 1)",
    ),
    refused: "how to indent what it adds is not plain",
  },
  {
    about: "a bracket of another block",
    files: { f: "class A {\n  go() {\n    use(one);\n  }\n}\n" },
    patch: envelope("*** Update File: f", "     use(one);", " }", "+", "+function end() {", "+}"),
    refused: "its lines stand nowhere in the file",
  },
  {
    about: "a move",
    patch: envelope("*** Update File: f", "*** Move to: g", ...hunk),
    becomes: { f: null, g: "a\nB\nc\n" },
  },
  {
    about: "a move after the hunks",
    patch: envelope("*** Update File: f", ...hunk, "*** Move to: g"),
    becomes: { f: null, g: "a\nB\nc\n" },
  },
  {
    about: "a move without hunks",
    patch: envelope("*** Update File: f", "*** Move to: g"),
    becomes: { f: null, g: abc },
  },
  { about: "a move in one line", patch: envelope("*** Move File: f -> g"), becomes: { f: null, g: abc } },
  {
    about: "a move onto a file",
    files: { f: abc, g: "x\n" },
    patch: envelope("*** Update File: f", "*** Move to: g"),
    refused: "There is a file g already",
  },
  {
    about: "a move onto a deleted file",
    files: { f: abc, g: "x\n" },
    patch: envelope("*** Update File: f", "*** Move to: g", "*** Delete File: g"),
    becomes: { f: null, g: abc },
  },
  {
    about: "circular moves",
    files: { f: abc, g: "x\n" },
    patch: envelope("*** Update File: f", "*** Move to: g", "*** Update File: g", "*** Move to: f"),
    becomes: { f: "x\n", g: abc },
  },
  {
    about: "chained moves",
    patch: envelope("*** Update File: f", "*** Move to: g", "*** Update File: g", "*** Move to: h"),
    becomes: { f: null, h: abc },
  },
  {
    about: "a move to itself",
    patch: envelope("*** Update File: f", "*** Move to: ./f", ...hunk),
    becomes: changed,
  },
  {
    about: "two moves to the same path",
    files: { f: abc, g: "x\n" },
    patch: envelope("*** Update File: f", "*** Move to: h", "*** Update File: g", "*** Move to: h"),
    refused: "makes h twice",
  },
  {
    about: "a moved file is updated under its new name",
    patch: envelope("*** Update File: f", "*** Move to: g", "*** Update File: g", ...hunk),
    becomes: { f: null, g: "a\nB\nc\n" },
  },
  {
    about: "the same file twice",
    patch: envelope("*** Update File: f", "-a", "+A", "*** Update File: ./f", " A", "-b", "+B"),
    becomes: { f: "A\nB\nc\n" },
  },
  {
    about: "the last of three files does not fit",
    files: { f: abc, g: abc, h: abc },
    patch: envelope(
      "*** Update File: f",
      ...hunk,
      "*** Update File: g",
      ...hunk,
      "*** Update File: h",
      " a",
      "-x",
      "+y",
    ),
    refused: "The patch does not fit h, hunk 1",
  },
  {
    about: "an update without content",
    patch: envelope("*** Update File: f"),
    refused: "says nothing of what to change in f",
  },
  { about: "no file between the marks", patch: envelope(), refused: "changes no file" },
  {
    about: "a file without a name",
    patch: envelope("*** Update File:", ...hunk),
    refused: "names no file",
  },
  {
    about: "a placeholder for omitted code",
    patch: envelope("*** Update File: f", " a", "-b", "+// ... rest of the code unchanged ..."),
    refused: "rest of the code",
  },
];

const check = patchCheck("damaged patches of whole files in the Begin Patch format");
test.each(fileCases)("in the Begin Patch format: $about", check);
