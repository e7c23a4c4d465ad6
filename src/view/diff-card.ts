/** A diff below the title that names its file: without the rows that repeat it, wrapped so that the signs stay a column. */

import type { Style } from "./style.ts";

const hunkRow = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/u;

/**
 * Leaves out a file's two header rows, or has its name in their place if there are several, and the row of a hunk that
 * begins at the first line. Lines within a hunk are never taken for one of these, whatever they hold.
 */
export function cardRows(lines: readonly string[]): string[] {
  const shown: string[] = [];
  const names: number[] = [];
  let [gone, come] = [0, 0];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const next = lines[at + 1] ?? "";
    const hunk = hunkRow.exec(line);
    if (gone > 0 || come > 0) {
      if (!/^[+\\]/u.test(line)) gone -= 1;
      if (!/^[-\\]/u.test(line)) come -= 1;
      shown.push(line);
    } else if (hunk) {
      [gone, come] = [Number(hunk[1] ?? 1), Number(hunk[3] ?? 1)];
      if (Number(hunk[2]) > 1) shown.push(line);
    } else if (isHeader(line, next, lines[at + 2])) {
      names.push(shown.length);
      shown.push(nameIn(next) ?? nameIn(line) ?? "");
      at += 1;
    } else shown.push(line);
  }
  return names.length > 1 ? shown : shown.filter((_, at) => !names.includes(at));
}

/** A removed and an added line that look like a header are no header: they have no hunk below them. */
const isHeader = (line: string, next: string, below = ""): boolean =>
  line.startsWith("--- ") && next.startsWith("+++ ") && hunkRow.test(below);

/** Of the row "+++ b/src/a.ts"; undefined for a file that does not exist on this side. */
const nameIn = (row: string): string | undefined =>
  row.slice(4) === "/dev/null" ? undefined : row.slice(4).replace(/^[ab]\//u, "");

/** Indented; what a row has too many goes on in the next, behind a mark in the column of the signs. */
export function diffRows(lines: readonly string[], style: Style, columns: number): string[] {
  return cardRows(lines).flatMap((line) => textRows(line, columns, paintOf(line, style)));
}

/** Indented and nothing left out: what does not fit in a row goes on in the next, behind a mark. */
export const textRows = (line: string, columns: number, paint = (text: string): string => text): string[] =>
  pieces(line, columns - indent.length - 2).map(
    (piece, at) => indent + paint(at === 0 ? piece : goesOn + piece),
  );

export const diffLine = (line: string, style: Style): string => paintOf(line, style)(line);

function paintOf(line: string, style: Style): (text: string) => string {
  if (line.startsWith("+++") || line.startsWith("---")) return style.bold;
  if (line.startsWith("+")) return style.green;
  if (line.startsWith("-")) return style.red;
  return line.startsWith("@@") ? style.cyan : (text) => text;
}

const indent = "    ";
const goesOn = "…";
/** A narrower terminal breaks lines itself. */
const fewest = 20;

function pieces(line: string, most: number): string[] {
  if (most === Infinity || most < fewest) return [line];
  const rows: string[] = [];
  let row = "";
  let width = 0;
  for (const character of line) {
    const wide = character <= "\u024F" ? 1 : 2;
    if (width + wide > most) {
      rows.push(row);
      [row, width] = ["", 0];
    }
    row += character;
    width += wide;
  }
  return [...rows, row];
}
