/** One row of a terminal screen, addressed by columns. Text with one column per UTF-16 unit is the fast path. */

/** `wraps`: the line continues in the next row. `plain`: each UTF-16 unit takes one column. */
export type ScreenRow = { text: string; plain: boolean; wraps: boolean };

export const emptyRow = (): ScreenRow => ({ text: "", plain: true, wraps: false });

/** Characters of European alphabets, punctuation, arrows, boxes. */
const onePerUnit =
  /^[ -~\u00a0-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1eff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u259f\ufffd]*$/;

export const isPlain = (text: string): boolean => onePerUnit.test(text);

/** The longest prefix of a text that fits the columns, including combining characters at its end. */
export function fitting(text: string, columns: number): { piece: string; width: number } {
  let width = 0;
  let length = 0;
  for (const character of text) {
    const more = widthOf(character);
    if (width + more > columns) break;
    width += more;
    length += character.length;
  }
  return { piece: text.slice(0, length), width };
}

/** The columns of a character: 0 for combining ones, 2 for East Asian wide ones and emoji. */
function widthOf(character: string): 0 | 1 | 2 {
  const code = character.charCodeAt(0);
  if (code < 0x300) return 1;
  if ((code >= 0x3041 && code < 0xa4d0) || (code >= 0xac00 && code < 0xd7a4))
    return joining.test(character) ? 0 : 2;
  if (joining.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

const joining = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\p{Emoji_Modifier}]/u;
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{17000}-\u{18aff}\u{1f1e6}-\u{1f1ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

/** A cell is a character with its combining characters; the second column of a wide one is empty. */
function cellsOf(text: string): string[] {
  const cells: string[] = [];
  for (const character of text) {
    const width = widthOf(character);
    if (width === 0) join(cells, character);
    else cells.push(character);
    if (width === 2) cells.push("");
  }
  return cells;
}

/** More combining characters would be garbage. */
const longestCell = 16;

function join(cells: string[], character: string): void {
  const at = cells.at(-1) === "" ? cells.length - 2 : cells.length - 1;
  const cell = cells[at];
  if (cell === undefined) cells.push(` ${character}`);
  else if (cell.length < longestCell) cells[at] = cell + character;
}

/** Overwrites the row from `column` on. */
export function writeCells(row: ScreenRow, column: number, text: string): void {
  if (row.plain && isPlain(text)) {
    const before = column === row.text.length ? row.text : row.text.slice(0, column).padEnd(column);
    row.text = before + text + row.text.slice(column + text.length);
    return;
  }
  const cells = cellsIn(row);
  const written = cellsOf(text);
  // Combining characters belong to the cell before.
  if (column > 0 && written[0]?.startsWith(" ") && !text.startsWith(" ")) {
    const first = cells.slice(0, column);
    join(first, written.shift()?.slice(1) ?? "");
    cells.splice(0, column, ...first);
  }
  splice(cells, { column, remove: written.length, insert: written });
  setCells(row, cells);
}

export function erase(row: ScreenRow, from: number, to: number): void {
  if (row.plain) {
    const rest = row.text.slice(to);
    row.text = row.text.slice(0, from) + (rest === "" ? "" : " ".repeat(to - from) + rest);
  } else {
    const cells = cellsIn(row);
    const count = Math.max(0, Math.min(to, cells.length) - from);
    splice(cells, { column: from, remove: count, insert: Array.from({ length: count }, () => " ") });
    if (to >= cells.length) cells.length = Math.min(cells.length, from);
    setCells(row, cells);
  }
}

/** Inserts blanks at `column`; text pushed beyond `columns` is lost. */
export function insertBlanks(row: ScreenRow, { column, count, columns }: CellSpan): void {
  const cells = cellsIn(row);
  if (column >= cells.length) return;
  splice(cells, { column, remove: 0, insert: Array.from({ length: count }, () => " ") });
  cells.length = Math.min(cells.length, columns);
  setCells(row, cells);
}

type CellSpan = { column: number; count: number; columns: number };

export function deleteCells(row: ScreenRow, { column, count }: Omit<CellSpan, "columns">): void {
  const cells = cellsIn(row);
  if (column >= cells.length) return;
  splice(cells, { column, remove: count, insert: [] });
  setCells(row, cells);
}

const cellsIn = (row: ScreenRow): string[] => (row.plain ? row.text.split("") : cellsOf(row.text));

function setCells(row: ScreenRow, cells: readonly string[]): void {
  row.text = cells.join("");
  row.plain = isPlain(row.text);
}

type CellSplice = { column: number; remove: number; insert: readonly string[] };

/** Replaces cells; a remaining half of a wide character becomes a blank. */
function splice(cells: string[], { column, remove, insert }: CellSplice): void {
  while (cells.length < column) cells.push(" ");
  if (cells[column] === "" && column > 0) cells[column - 1] = " ";
  const after = column + remove;
  if (cells[after] === "" && after > column) cells[after] = " ";
  else if (cells[after] === "" && remove === 0) cells[after] = " ";
  cells.splice(column, remove, ...insert);
}
