/** What a diff below its title leaves out, and how it is wrapped. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { cardRows, diffRows, textRows } from "./diff-card.ts";
import { styleFor } from "./style.ts";

const plain = styleFor({}, false);

test("the header of one file goes, those of several become names, and a hunk's row stays if it tells a place", () => {
  const one = [
    "--- a/src/x.ts",
    "+++ b/src/x.ts",
    "@@ -1,2 +1,2 @@",
    "-1",
    "+2",
    " same",
    "@@ -40 +40 @@",
    "-3",
    "+4",
  ];
  expect(cardRows(one)).toEqual(["-1", "+2", " same", "@@ -40 +40 @@", "-3", "+4"]);
  const made = ["new file mode 100755", "--- /dev/null", "+++ b/new.ts", "@@ -0,0 +1 @@", "+1"];
  expect(cardRows(made)).toEqual(["new file mode 100755", "+1"]);
  const gone = ["--- a/old.ts", "+++ /dev/null", "@@ -1 +0,0 @@", "-1", "\\ No newline at end of file"];
  expect(cardRows([...one, ...gone])).toEqual([
    "src/x.ts",
    ...cardRows(one),
    "old.ts",
    "-1",
    "\\ No newline at end of file",
  ]);
});

test("changed lines that look like headers are shown", () => {
  const lines = ["--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@", "--- a", "+++ b", "-@@ -1 +1 @@", "+@@ -1 +1 @@"];
  expect(cardRows(lines)).toEqual(lines.slice(3));
  const whole = ["--- x", "+++ x", "--- a", "+++ b", "+1"];
  expect(cardRows(whole)).toEqual(whole);
});

test("a long line goes on behind a mark in the column of the signs, and nothing of it is lost", () => {
  expect(diffRows([`+${"x".repeat(30)}`, " y"], plain, 30)).toEqual([
    `    +${"x".repeat(23)}`,
    `    …${"x".repeat(7)}`,
    "     y",
  ]);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 26, max: 90 }), (text, columns) => {
      const rows = textRows(text, columns);
      expect(rows.map((row, at) => row.slice(at === 0 ? 4 : 5)).join("")).toBe(text);
      for (const row of rows) expect(row.length).toBeLessThan(2 * columns);
    }),
  );
  expect(textRows("z".repeat(200), Infinity)).toEqual([`    ${"z".repeat(200)}`]);
});
