/** Fills rows with words as they come; a word is placed once it is complete. */

import { fitting } from "../../base/terminal/row.ts";
import { type Piece, widthOf } from "./look.ts";

/** An unfinished row, and the unfinished word that will stand in it or below it. Plain data. */
export type Wrapping = {
  row: Piece[];
  column: number;
  /** The blanks before the word; they are dropped where a row ends. */
  blanks: Piece[];
  word: Piece[];
  wordWidth: number;
  /** In UTF-16 units: characters without width count too. */
  wordLength: number;
};

/** Takes the pieces of a finished row. */
export type TakeRow = (row: readonly Piece[]) => void;

export const newWrapping = (): Wrapping => ({
  row: [],
  column: 0,
  blanks: [],
  word: [],
  wordWidth: 0,
  wordLength: 0,
});

/** More units than this in a column are garbage. */
const mostUnitsInColumn = 16;

/** `columns`: the columns of a row. A line feed ends the row. */
export function wrap(wrapping: Wrapping, pieces: readonly Piece[], columns: number, take: TakeRow): void {
  for (const { text, look } of pieces)
    for (const part of text.split(/( +|\n)/u)) {
      if (part === "") continue;
      if (part === "\n") endRow(wrapping, columns, take);
      else if (part.startsWith(" ")) {
        placeWord(wrapping, columns, take);
        if (wrapping.column > 0) wrapping.blanks.push({ text: part, look });
      } else addToWord(wrapping, { text: part, look }, columns, take);
    }
}

/** Ends the row, also an empty one. */
export function endRow(wrapping: Wrapping, columns: number, take: TakeRow): void {
  placeWord(wrapping, columns, take);
  take(wrapping.row);
  Object.assign(wrapping, newWrapping());
}

export const isEmpty = ({ column, wordLength }: Wrapping): boolean => column === 0 && wordLength === 0;

/** All rows of a text that is there as a whole. */
export function wrappedRows(pieces: readonly Piece[], columns: number): (readonly Piece[])[] {
  const rows: (readonly Piece[])[] = [];
  const wrapping = newWrapping();
  const take: TakeRow = (row) => void rows.push(row);
  wrap(wrapping, pieces, columns, take);
  endRow(wrapping, columns, take);
  return rows;
}

/** Cuts a text into rows without regard to its words. */
export function cutRows(pieces: readonly Piece[], columns: number): (readonly Piece[])[] {
  const rows: Piece[][] = [[]];
  let left = columns;
  for (const { text, look } of pieces)
    for (let at = 0; at < text.length;) {
      const { piece, width } = startOf(text.slice(at, at + columns * mostUnitsInColumn), left, columns);
      if (piece === "") {
        rows.push([]);
        left = columns;
        continue;
      }
      rows.at(-1)?.push({ text: piece, look });
      left -= width;
      at += piece.length;
    }
  return rows;
}

/** What fits the rest of a row: at least one character, if the row is still empty. */
function startOf(text: string, left: number, columns: number): { piece: string; width: number } {
  const fit = fitting(text, left);
  if (fit.piece !== "" || left < columns) return fit;
  const [first = ""] = text;
  return { piece: first, width: left };
}

function addToWord(wrapping: Wrapping, piece: Piece, columns: number, take: TakeRow): void {
  wrapping.word.push(piece);
  wrapping.wordWidth += widthOf(piece.text);
  wrapping.wordLength += piece.text.length;
  if (wrapping.wordWidth <= columns && wrapping.wordLength <= columns * mostUnitsInColumn) return;
  if (wrapping.column > 0) take(wrapping.row);
  const rows = cutRows(wrapping.word, columns);
  const word = [...(rows.pop() ?? [])];
  for (const row of rows) take(row);
  const text = word.map((part) => part.text).join("");
  Object.assign(wrapping, newWrapping(), { word, wordWidth: widthOf(text), wordLength: text.length });
}

function placeWord(wrapping: Wrapping, columns: number, take: TakeRow): void {
  const { blanks, word, wordWidth } = wrapping;
  if (word.length === 0) return;
  const blank = blanks.reduce((sum, { text }) => sum + text.length, 0);
  if (wrapping.column > 0 && wrapping.column + blank + wordWidth > columns) {
    take(wrapping.row);
    wrapping.row = [...word];
    wrapping.column = wordWidth;
  } else {
    wrapping.row.push(...blanks, ...word);
    wrapping.column += blank + wordWidth;
  }
  Object.assign(wrapping, { blanks: [], word: [], wordWidth: 0, wordLength: 0 });
}
