/**
 * Paints a conversation on the main screen of a terminal: finished rows, which scroll away as a program's output does
 * and are never written again, and below them the tail, of which a frame rewrites the rows that have changed. Each
 * frame is one write, which a terminal that knows synchronised output (mode 2026) shows at once.
 */

import { widthOf } from "../line/word-wrap.ts";

/** Where the cursor stands in the tail, both from 0. */
type TailPosition = { row: number; column: number };
export type Tail = { rows: readonly string[]; cursor: TailPosition };

type PaintedTerminal = {
  print(text: string): void;
  /** The size of the terminal now. */
  columns(): number;
  rows(): number;
};

const beginFrame = "\u001B[?2026h";
const endFrame = "\u001B[?2026l";
/** Terminals remember which rows they have wrapped, and join them again, unless those were erased as a whole. */
const eraseRow = "\u001B[2K";
const eraseBelow = "\u001B[J";
const noTail: Tail = { rows: [""], cursor: { row: 0, column: 0 } };

/** No row of a tail may be wider than the terminal, and a tail that is too high loses its first rows. */
export class Painter {
  readonly #terminal: PaintedTerminal;
  #tail: Tail = noTail;
  /** The size for which the tail was painted: a terminal that has another one may have dropped rows below the cursor. */
  #size = "";

  constructor(terminal: PaintedTerminal) {
    this.#terminal = terminal;
  }

  /** Paints what has become finished, and the tail as it is now. Writes nothing if nothing has changed. */
  paint(finished: readonly string[], tail: Tail): void {
    const next = this.#fitted(tail);
    const columns = this.#terminal.columns();
    const size = `${columns}×${this.#terminal.rows()}`;
    const isSameSize = size === this.#size || this.#size === "";
    const change =
      finished.length === 0 && isSameSize ? this.#changedRows(next) : this.#afresh(finished, next, columns);
    this.#tail = next;
    this.#size = size;
    if (change !== "") this.#terminal.print(`${beginFrame}${change}${endFrame}`);
  }

  /** Takes the tail off the screen: the cursor then stands at the start of the row below the finished ones. */
  clear(): void {
    if (this.#tail === noTail) return;
    this.#terminal.print(`${this.#toTop(this.#terminal.columns())}${eraseBelow}`);
    this.forget();
  }

  /** Something else has written to the terminal, and has left the cursor at the start of a row. */
  forget(): void {
    this.#tail = noTail;
    this.#size = "";
  }

  /** The lowest rows are kept: there the person types. */
  #fitted({ rows, cursor }: Tail): Tail {
    const above = Math.max(0, rows.length - Math.max(1, this.#terminal.rows() - 1));
    if (above === 0) return { rows, cursor };
    return { rows: rows.slice(above), cursor: { ...cursor, row: Math.max(0, cursor.row - above) } };
  }

  #afresh(finished: readonly string[], { rows, cursor }: Tail, columns: number): string {
    const lines = [...finished, ...rows].map((row) => eraseRow + row).join("\r\n");
    return `${this.#toTop(columns)}${lines}${eraseBelow}${cursorMove(rows.length - 1, cursor)}`;
  }

  #changedRows({ rows, cursor }: Tail): string {
    const before = this.#tail;
    let out = "";
    let at = before.cursor.row;
    for (const [index, row] of rows.entries()) {
      if (row === before.rows[index]) continue;
      // A row that does not exist yet is reached by a line end, which scrolls.
      const isNew = index >= before.rows.length;
      out += (isNew ? "\r\n".repeat(index - at) : vertical(index - at)) + "\r" + eraseRow + row;
      at = index;
    }
    if (rows.length < before.rows.length) {
      out += `${vertical(rows.length - 1 - at)}\r${right(widthOf(rows.at(-1) ?? ""))}${eraseBelow}`;
      at = rows.length - 1;
    }
    const isStill = out === "" && cursor.row === before.cursor.row && cursor.column === before.cursor.column;
    return isStill ? "" : out + cursorMove(at, cursor);
  }

  /** A terminal that was made narrower has wrapped the tail's rows. */
  #toTop(columns: number): string {
    const { rows, cursor } = this.#tail;
    const above = rows.slice(0, cursor.row).reduce((sum, row) => sum + heightOf(widthOf(row), columns), 0);
    return `${vertical(-above - Math.floor(cursor.column / Math.max(1, columns)))}\r`;
  }
}

const heightOf = (width: number, columns: number): number =>
  Math.max(1, Math.ceil(width / Math.max(1, columns)));

const cursorMove = (from: number, { row, column }: TailPosition): string =>
  `${vertical(row - from)}\r${right(column)}`;

function vertical(by: number): string {
  if (by === 0) return "";
  return by < 0 ? `\u001B[${-by}A` : `\u001B[${by}B`;
}

const right = (by: number): string => (by === 0 ? "" : `\u001B[${by}C`);
