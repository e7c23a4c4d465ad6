/** Tests that a text is laid out as a terminal shows it, with the cursor on the right cell. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { TerminalScreen } from "../../base/terminal/screen.ts";
import { scale } from "../../testing/scale.ts";
import { rowsIn } from "./field-layout.ts";
import { TextField } from "./text-field.ts";

function laidOut(text: string, columns: number, most?: number) {
  const field = new TextField();
  field.type(text);
  return field.layout(columns, most);
}

test("an empty text is one empty row", () => {
  expect(laidOut("", 20)).toEqual({
    rows: [""],
    cursor: { row: 0, column: 0 },
    isMoreAbove: false,
    isMoreBelow: false,
  });
});

test("rows end between words, and the last column stays free", () => {
  expect(laidOut("fix the discount and clean up", 12)).toMatchObject({
    rows: ["fix the ", "discount ", "and clean ", "up"],
    cursor: { row: 3, column: 2 },
  });
  expect(laidOut("fix the do", 8).rows).toEqual(["fix the", "do"]);
});

test("a word that is longer than a row is taken apart", () => {
  expect(laidOut("see abcdefghijkl", 7).rows).toEqual(["see ", "abcdef", "ghijkl"]);
});

test("wide characters are two columns, joined ones what the terminal makes of them", () => {
  expect(laidOut("合計を直す", 7)).toMatchObject({ rows: ["合計を", "直す"], cursor: { row: 1, column: 4 } });
  expect(laidOut("e\u0301e\u0301", 10).cursor.column).toBe(2);
  expect(laidOut("مرحبا", 10).cursor.column).toBe(5);
});

test("control characters and hidden directions are shown, not sent to the terminal", () => {
  const { rows } = laidOut("a\x1b[2J\u202e\tb", 40);
  expect(rows).toEqual(["a␛[2J⟨U+202E⟩ b"]);
});

test("more rows than fit scroll with the cursor, and come back", () => {
  const field = new TextField();
  field.type(Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n"));
  expect(field.layout(20, 3)).toEqual({
    rows: ["line 17", "line 18", "line 19"],
    cursor: { row: 2, column: 7 },
    isMoreAbove: true,
    isMoreBelow: false,
  });
  field.do("up");
  expect(field.layout(20, 3)).toMatchObject({
    rows: ["line 17", "line 18", "line 19"],
    cursor: { row: 1 },
    isMoreBelow: false,
  });
  field.do("text-start");
  expect(field.layout(20, 3)).toMatchObject({ rows: ["line 0", "line 1", "line 2"], isMoreAbove: false });
  field.do("text-end");
  field.set("short");
  expect(field.layout(20, 3)).toMatchObject({ rows: ["short"], isMoreAbove: false });
});

test("a line is laid out the same with and without the short way for plain text", () => {
  const words = fc.stringMatching(/^[a-c ]{0,60}$/);
  fc.assert(
    fc.property(words, fc.integer({ min: 2, max: 20 }), (line, columns) => {
      // A character of no width makes the line take the long way.
      const any = rowsIn(`\u200b${line}`, columns).map(({ from, to }) => ({
        from: Math.max(0, from - 1),
        to: to - 1,
      }));
      expect(rowsIn(line, columns)).toEqual(any);
    }),
    { numRuns: 300 * scale },
  );
});

const texts = fc.array(
  fc.oneof(
    fc.stringMatching(/^[a-z ]{1,12}$/),
    fc.constantFrom(
      "合計",
      "👩‍👩‍👧",
      "👍🏽",
      "🇩🇪",
      "e\u0301",
      "مرحبا",
      "नमस्ते",
      "한국어",
      "\t",
      "\x1b",
      "\n",
      "[x]",
      "é",
    ),
  ),
  { maxLength: 24 },
);

test("printed on a terminal, the rows are as wide as they should be and the cursor is where the text before it ends", () => {
  fc.assert(
    fc.property(
      texts,
      fc.integer({ min: 10, max: 40 }),
      fc.integer({ min: 0, max: 40 }),
      (parts, columns, moves) => {
        const field = new TextField();
        field.type(parts.join(""));
        for (let move = 0; move < moves; move++) field.do("character-left");
        const { rows, cursor } = field.layout(columns, 200);
        const whole = printed(rows, columns);
        expect(whole.rows).toBe(rows.length);
        const before = rows.slice(0, cursor.row + 1);
        const { line, at } = field.cursor;
        const text = field.lines[line] ?? "";
        // The part of the row before the cursor, laid out on its own.
        const rest = new TextField();
        const own = rowsIn(text, columns).findLast(({ from }) => from <= at);
        rest.type(text.slice(own?.from, Math.min(at, own?.to ?? at)));
        before[cursor.row] = rest.layout(columns, 2).rows[0] ?? "";
        const { row, column } = printed(before, columns);
        expect({ row, column }).toEqual(cursor);
        expect(cursor.column).toBeLessThan(columns);
      },
    ),
    { numRuns: 300 * scale },
  );
});

/** The cursor after printing these rows, counted from 0, and how many rows they took. */
function printed(rows: readonly string[], columns: number) {
  const screen = new TerminalScreen({ columns, rows: 300, space: 100_000, answer: () => undefined });
  screen.write(Buffer.from(rows.join("\r\n")));
  const { row, column } = screen.cursor;
  return { row: row - 1, column: column - 1, rows: row };
}
