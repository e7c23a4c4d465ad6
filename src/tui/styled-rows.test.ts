import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { clippedRow, styledRows, styledWidth } from "./styled-rows.ts";
import { emulatedTerminal } from "./testing/screen.ts";

const red = (text: string): string => `\u001B[31m${text}\u001B[39m`;
const bold = (text: string): string => `\u001B[1m${text}\u001B[22m`;

test("a line is wrapped between its words, under its indentation", () => {
  expect(styledRows("one two three four", 10, { first: "- ", rest: "  " })).toEqual([
    "- one two",
    "  three",
    "  four",
  ]);
});

test("each row has its colours for itself", () => {
  expect(styledRows(`plain ${red(`red ${bold("both of them")}`)} plain`, 12)).toEqual([
    "plain \u001B[31mred \u001B[1m\u001B[0m",
    "\u001B[31m\u001B[1mboth of\u001B[0m",
    "\u001B[31m\u001B[1mthem\u001B[22m\u001B[39m plain",
  ]);
});

test("a word whose style changes within it stays in one row (a key stood apart from what it does)", () => {
  expect(styledRows(`one two ${bold("n")}\u00A0no`, 11)).toEqual([
    "one two \u001B[1m\u001B[0m",
    "\u001B[1mn\u001B[22m\u00A0no",
  ]);
});

const text = fc
  .array(fc.constantFrom("a", "word", "日本語", "👩‍👩‍👧", "e\u0301", " ", "  ", "x".repeat(30), "العربية"), {
    maxLength: 12,
  })
  .map((words) => words.join(" "));
const styled = fc.tuple(text, text, text).map(([one, two, three]) => `${one}${red(two)}${bold(red(three))}`);

test("every row fits, and nothing but spaces is lost", () => {
  fc.assert(
    fc.property(styled, fc.integer({ min: 8, max: 50 }), (line, columns) => {
      const rows = styledRows(line, columns, { first: "  ", rest: "    " });
      for (const row of rows) expect(styledWidth(row)).toBeLessThanOrEqual(columns - 1);
      const letters = (of: string): string => stripVTControlCharacters(of).replaceAll(/\s/gu, "");
      expect(letters(rows.join(""))).toBe(letters(line));
      expect(styledWidth(clippedRow(line, columns))).toBeLessThanOrEqual(columns - 1);
    }),
  );
});

test("a terminal shows the rows one below the other", () => {
  const terminal = emulatedTerminal(20, 10);
  const rows = styledRows("the width of 日本語 is two columns for each of its characters", 20);
  terminal.print(rows.join("\r\n"));
  expect(terminal.all()).toEqual(rows);
});
