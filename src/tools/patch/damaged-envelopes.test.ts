import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../testing/workspace.ts";
import { type Case, resultOf, verdictOn } from "./testing-patch.ts";

const shop =
  "class Shop:\n    def open(self):\n        self.ready = True\n        return self\n\n    def close(self):\n        self.ready = False\n        return self\n\n\nclass Bank:\n    def open(self):\n        self.ready = True\n        return self\n";
const abc = "a\nb\nc\n";
const changed = { f: "a\nB\nc\n" };
const update = ["*** Begin Patch", "*** Update File: f", "@@", " a", "-b", "+B", " c", "*** End Patch"];
const without = (line: string): string[] => update.filter((one) => one !== line);
const envelope = (...lines: string[]): string[] => ["*** Begin Patch", ...lines, "*** End Patch"];
const hunk = [" a", "-b", "+B", " c"];

const envelopeCases: readonly Case[] = [
  { about: "as it should be", patch: update, becomes: changed },
  { about: "no end mark", patch: without("*** End Patch"), becomes: changed },
  { about: "no begin mark", patch: without("*** Begin Patch"), becomes: changed },
  { about: "neither mark", patch: update.slice(1, -1), becomes: changed },
  { about: "no @@ line", patch: without("@@"), becomes: changed },
  { about: "words in front", patch: ["Here is the patch:", "", ...update], becomes: changed },
  { about: "words behind", patch: [...update, "", "- done", "+ good"], becomes: changed },
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
  { about: "a byte order mark in front", patch: `\uFEFF${update.join("\n")}`, becomes: changed },
  { about: "indented as a whole", patch: update.map((line) => `    ${line}`), becomes: changed },
  { about: "no line feed at the end", patch: update.join("\n"), becomes: changed },
  {
    about: "blank lines between everything",
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
    about: "a path with a dot in front",
    patch: envelope("*** Update File: ./f", ...hunk),
    becomes: changed,
  },
  { about: "a space behind the path", patch: envelope("*** Update File: f  ", ...hunk), becomes: changed },
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
    about: "a header that is nowhere",
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
    about: "a file without a last line feed",
    files: { f: "a\nb" },
    patch: envelope("*** Update File: f", " a", "-b", "+B"),
    becomes: { f: "a\nB" },
  },
  {
    about: "lines added to a file without a last line feed",
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
    about: "a header that may name two lines",
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
    about: "no header where two places fit",
    files: { f: shop },
    patch: envelope("*** Update File: f", "-        self.ready = True", "+        self.ready = 1"),
    refused: "stand at 2 places",
  },
  {
    about: "a header below the only place",
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
    about: "context that two hunks share",
    patch: envelope("*** Update File: f", "@@", "-a", "+A", " b", "@@", " b", "-c", "+C"),
    becomes: { f: "A\nb\nC\n" },
  },
  {
    about: "the same hunk twice",
    patch: envelope("*** Update File: f", "@@", "-a", "+A", "@@", "-a", "+A"),
    refused: "hunks 1 and 2 change the same place",
  },
  {
    about: "two insertions at one place",
    patch: envelope("*** Update File: f", "@@", " a", "+1", "@@", " a", "+2"),
    refused: "change the same place",
  },
  {
    about: "a hunk of context only beside another",
    patch: envelope("*** Update File: f", "@@", " a", "@@", "-c", "+C"),
    becomes: { f: "a\nb\nC\n" },
  },
  {
    about: "context only",
    patch: envelope("*** Update File: f", "@@", " a", " b"),
    refused: "would change nothing",
  },
  {
    about: "lines that are replaced by themselves",
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
    about: "End of File where there is more",
    patch: envelope("*** Update File: f", "-a", "+A", "*** End of File"),
    becomes: { f: "A\nb\nc\n" },
  },
  {
    about: "only added lines",
    patch: envelope("*** Update File: f", "@@", "+d"),
    refused: "does not tell where",
  },
  {
    about: "only added lines at the end",
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
    about: "only added lines below a header of two places",
    files: { f: shop },
    patch: envelope("*** Update File: f", "@@ def open(self):", "+        pass"),
    refused: "does not tell where",
  },
  {
    about: "an empty file is filled",
    files: { f: "" },
    patch: envelope("*** Update File: f", "@@", "+a"),
    becomes: { f: "a\n" },
  },
  {
    about: "lines that are not there",
    patch: envelope("*** Update File: f", " a", "-x", "+y"),
    refused: "stand nowhere in the file",
  },
  {
    about: "a patch that was applied before",
    files: { f: "one\nTWO\nthree\n" },
    patch: envelope("*** Update File: f", " one", "-two", "+TWO", " three"),
    refused: "perhaps it was applied before",
  },
  {
    about: "trailing space that was lost",
    files: { f: "a  \nb\nc\n" },
    patch: update,
    becomes: { f: "a  \nB\nc\n" },
  },
  {
    about: "all lines indented less",
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
    about: "a mark that is not known",
    patch: envelope("*** Update File: f", "*** Replace All", ...hunk),
    refused: "Line 3 of the patch has a mark that is not known",
  },
  {
    about: "a new file",
    patch: envelope("*** Add File: g/h", "+one", "+", "+two"),
    becomes: { "g/h": "one\n\ntwo\n" },
  },
  {
    about: "a new file called created",
    patch: envelope("*** Create File: g", "+one"),
    becomes: { g: "one\n" },
  },
  {
    about: "a new file with blank lines that lost their sign",
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
    about: "a new file without signs",
    patch: envelope("*** Add File: g", "one", "", "  two", "@@ three"),
    becomes: { g: "one\n\n  two\n@@ three\n" },
  },
  {
    about: "a new file without signs, which may be context or a list",
    patch: envelope("*** Add File: g", " one", " two"),
    refused: 'Line 3 of the patch does not begin with "+"',
  },
  {
    about: "a new file that begins with a list and has no signs",
    patch: envelope("*** Add File: g", "- one", "- two"),
    refused: 'Line 3 of the patch does not begin with "+"',
  },
  {
    about: "a new file in a code fence and without signs",
    patch: envelope("*** Add File: g", "```", "one", "```"),
    refused: 'Line 3 of the patch does not begin with "+"',
  },
  {
    about: "a new file with signs before some lines",
    patch: envelope("*** Add File: g", "+one", "  two"),
    refused: 'Line 4 of the patch does not begin with "+"',
  },
  {
    about: "a new file without signs before its first lines",
    patch: envelope("*** Add File: g", "one", "+ two"),
    refused: 'Line 4 of the patch begins with "+"',
  },
  {
    about: "a new file that is there",
    patch: envelope("*** Add File: f", "+x"),
    refused: "There is a file f already",
  },
  {
    about: "a new file twice",
    patch: envelope("*** Add File: g", "+x", "*** Add File: g", "+y"),
    refused: "makes g twice",
  },
  {
    about: "a new file inside a file",
    patch: envelope("*** Add File: f/g", "+x"),
    refused: "There can be no file f/g: f is a file",
  },
  {
    about: "a new file inside a new file",
    patch: envelope("*** Add File: g", "+x", "*** Add File: g/h", "+y"),
    refused: "There can be no file g/h: g is a file",
  },
  { about: "a file is deleted", patch: envelope("*** Delete File: f"), becomes: { f: null } },
  {
    about: "a file is deleted with its lines",
    patch: envelope("*** Delete File: f", "-a", "-b", "-c"),
    becomes: { f: null },
  },
  {
    about: "a file is deleted with other lines",
    patch: envelope("*** Delete File: f", "-a", "-b"),
    refused: "does not name all of its lines",
  },
  {
    about: "a missing file is deleted",
    patch: envelope("*** Delete File: g"),
    refused: "There is no file g",
  },
  {
    about: "a missing file is updated",
    patch: envelope("*** Update File: g", ...hunk),
    refused: "There is no file g",
  },
  {
    about: "deleted and made anew",
    patch: envelope("*** Delete File: f", "*** Add File: f", "+x"),
    becomes: { f: "x\n" },
  },
  {
    about: "made anew and deleted",
    patch: envelope("*** Add File: f", "+x", "*** Delete File: f"),
    refused: "The patch makes f and deletes it",
  },
  {
    about: "made and deleted",
    patch: envelope("*** Add File: g", "+x", "*** Delete File: g"),
    refused: "would change nothing",
  },
  {
    about: "lines that are indented as the file is, below others that are not",
    files: { f: "class A:\n    def go(self):\n        for one in all:\n            use(one)\n" },
    patch: envelope("*** Update File: f", " for one in all:", "-    use(one)", "+            use(one, 1)"),
    refused: "how to indent what it adds is not plain",
  },
  {
    about: "new lines that are indented as the file is, in place of others that are not",
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
    about: "a move below the hunks",
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
    about: "a move over a file",
    files: { f: abc, g: "x\n" },
    patch: envelope("*** Update File: f", "*** Move to: g"),
    refused: "There is a file g already",
  },
  {
    about: "a move over a file that is deleted",
    files: { f: abc, g: "x\n" },
    patch: envelope("*** Update File: f", "*** Move to: g", "*** Delete File: g"),
    becomes: { f: null, g: abc },
  },
  {
    about: "moves in a circle",
    files: { f: abc, g: "x\n" },
    patch: envelope("*** Update File: f", "*** Move to: g", "*** Update File: g", "*** Move to: f"),
    becomes: { f: "x\n", g: abc },
  },
  {
    about: "moves in a chain",
    patch: envelope("*** Update File: f", "*** Move to: g", "*** Update File: g", "*** Move to: h"),
    becomes: { f: null, h: abc },
  },
  {
    about: "a move to itself",
    patch: envelope("*** Update File: f", "*** Move to: ./f", ...hunk),
    becomes: changed,
  },
  {
    about: "two moves to one place",
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
    about: "an update that says nothing",
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
    about: "a placeholder",
    patch: envelope("*** Update File: f", " a", "-b", "+// ... rest of the code unchanged ..."),
    refused: "rest of the code",
  },
];

let workspace: TemporaryWorkspace;
beforeEach(async () => void (workspace = await temporaryWorkspace({})));
afterEach(() => workspace.remove());

const figure = { right: 0, refused: 0, wrong: 0 };
afterAll(() => {
  console.log(
    `damaged patches in the Begin Patch format: ${figure.right} applied rightly, ${figure.refused} refused, ${figure.wrong} silently wrong`,
  );
});

async function check(one: Case): Promise<void> {
  const { got, wanted, words } = await resultOf(one, workspace.root);
  figure[verdictOn(got, wanted)]++;
  expect(got, words).toEqual(wanted);
}

test.each(envelopeCases)("in the Begin Patch format: $about", check);
