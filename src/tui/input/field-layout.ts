/** Lays a text out in rows of a terminal, between words where possible, and finds its cursor there. Pure. */

import { fitting, isPlain } from "../../base/terminal/row.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { graphemesOf } from "./graphemes.ts";
import type { Position } from "./written-text.ts";

/** A row shows `from` to `to` of its line; a space at `to` that did not fit is not shown. */
type WrappedRow = { from: number; to: number };

/** `isMoreAbove`, `isMoreBelow`: rows that are not shown. Columns and rows count from 0. */
export type FieldLayout = {
  rows: string[];
  cursor: { row: number; column: number };
  isMoreAbove: boolean;
  isMoreBelow: boolean;
};

/** A row of the text: `row` counts within its line. */
export type RowPlace = { line: number; row: number };

type LaidText = { lines: readonly string[]; cursor: Position; columns: number };

/** The last column stays free for the cursor. */
const mostIn = (columns: number): number => Math.max(2, columns - 1);

/** Shows at most `most` rows with the cursor in them, from `top` on where that is possible. Returns the new top, too. */
export function layoutOf(text: LaidText, most: number, top: RowPlace): FieldLayout & { top: RowPlace } {
  const { lines, cursor, columns } = text;
  const line = lines[cursor.line] ?? "";
  const own = rowsIn(line, columns);
  const row = rowOf(own, cursor.at);
  const at = { line: cursor.line, row };
  const first = topFor(text, { at, most, top });
  const places = placesFrom(text, first, most + 1);
  const shown = places.slice(0, most);
  return {
    top: first,
    rows: shown.map(({ text }) => text),
    cursor: {
      row: shown.findIndex((place) => place.line === at.line && place.row === at.row),
      column: columnAt(line, own[row], cursor.at),
    },
    isMoreAbove: first.line > 0 || first.row > 0,
    isMoreBelow: places.length > most,
  };
}

/** Splits a line into rows; an empty line is one. */
export function rowsIn(line: string, columns: number): WrappedRow[] {
  return isPlain(line) ? wrappedPlain(line, mostIn(columns)) : wrappedAny(line, mostIn(columns));
}

/** The row that holds the cursor: at a break it is the later one. */
export const rowOf = (rows: readonly WrappedRow[], at: number): number =>
  Math.max(
    0,
    rows.findLastIndex(({ from }) => from <= at),
  );

/** The column of a position in its row. */
export function columnAt(line: string, row: WrappedRow | undefined, at: number): number {
  return row ? widthOf(line.slice(row.from, Math.min(at, row.to))) : 0;
}

/** The position that is nearest to a column of a row, but not behind it. */
export function positionAt(
  line: string,
  rows: readonly WrappedRow[],
  { row, column }: { row: number; column: number },
): number {
  const { from, to } = rows[row] ?? { from: 0, to: 0 };
  let at = from;
  let width = 0;
  for (const grapheme of graphemesOf(line.slice(from, to))) {
    width += widthOf(grapheme);
    // The end of a row that goes on is the start of the next one.
    if (width > column || at + grapheme.length === rows[row + 1]?.from) break;
    at += grapheme.length;
  }
  return at;
}

function wrappedPlain(line: string, most: number): WrappedRow[] {
  const rows: WrappedRow[] = [];
  let from = 0;
  while (line.length - from > most) {
    const end = from + most;
    const space = line[end] === " " ? end : line.lastIndexOf(" ", end - 1);
    const to = space === end || space < from ? end : space + 1;
    rows.push({ from, to });
    from = space === end ? end + 1 : to;
  }
  return [...rows, { from, to: line.length }];
}

function wrappedAny(line: string, most: number): WrappedRow[] {
  const rows: WrappedRow[] = [];
  let from = 0;
  let width = 0;
  /** Where the row may end, and its width up to there. */
  let space = { at: 0, width: 0 };
  let at = 0;
  const endRow = (to: number, next: number): void => {
    rows.push({ from, to });
    from = next;
  };
  for (const grapheme of fittingPieces(line, most)) {
    const more = widthOf(grapheme);
    if (more > 1) space = { at, width };
    if (width + more > most && grapheme === " ") {
      endRow(at, at + 1);
      width = 0;
    } else {
      if (width + more > most && space.at > from) {
        endRow(space.at, space.at);
        width -= space.width;
      }
      if (width + more > most && at > from) {
        endRow(at, at);
        width = 0;
      }
      width += more;
    }
    at += grapheme.length;
    if (grapheme === " " || more > 1) space = { at, width };
  }
  return [...rows, { from, to: line.length }];
}

/** Graphemes; one that is wider than a row is shown character by character. */
const fittingPieces = (line: string, most: number): string[] =>
  graphemesOf(line).flatMap((grapheme) => (widthOf(grapheme) > most ? Array.from(grapheme) : grapheme));

/** The top row with which the cursor's row is among those shown, and no room is left while there is text above. */
function topFor(text: LaidText, { at, most, top }: { at: RowPlace; most: number; top: RowPlace }): RowPlace {
  const highest = rowsAbove(text, at, most - 1);
  const last = text.lines.length - 1;
  const lowest = rowsAbove(text, lastRow(text, { line: last, row: Infinity }), most - 1);
  const held = lastRow(text, { line: Math.min(top.line, last), row: top.row });
  const wanted = isAbove(held, highest) ? highest : isAbove(at, held) ? at : held;
  return isAbove(lowest, wanted) ? lowest : wanted;
}

const isAbove = (one: RowPlace, other: RowPlace): boolean =>
  one.line < other.line || (one.line === other.line && one.row < other.row);

const lastRow = ({ lines, columns }: LaidText, { line, row }: RowPlace): RowPlace => ({
  line,
  row: Math.min(row, rowsIn(lines[line] ?? "", columns).length - 1),
});

/** The place `count` rows above another, or the first one. */
function rowsAbove(text: LaidText, from: RowPlace, count: number): RowPlace {
  let { line, row } = from;
  let left = count;
  while (left > row && line > 0) {
    left -= row + 1;
    line -= 1;
    ({ row } = lastRow(text, { line, row: Infinity }));
  }
  return { line, row: Math.max(0, row - left) };
}

function placesFrom(
  { lines, columns }: LaidText,
  top: RowPlace,
  most: number,
): (RowPlace & { text: string })[] {
  const places: (RowPlace & { text: string })[] = [];
  for (let line = top.line; line < lines.length && places.length < most; line++) {
    const text = lines[line] ?? "";
    const first = line === top.line ? top.row : 0;
    const rows = rowsIn(text, columns).slice(first, first + most - places.length);
    for (const [at, { from, to }] of rows.entries())
      places.push({ line, row: first + at, text: shownOf(text.slice(from, to)) });
  }
  return places;
}

const shownOf = (text: string): string => (isPlain(text) ? text : visibleLine(text));

const widthOf = (text: string): number =>
  isPlain(text) ? text.length : fitting(shownOf(text), Infinity).width;
