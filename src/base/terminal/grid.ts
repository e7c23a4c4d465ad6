/** The rows of a terminal screen and its cursor: writing, moving, erasing and scrolling. */

import {
  deleteCells,
  emptyRow,
  erase,
  fitting,
  insertBlanks,
  isPlain,
  writeCells,
  type ScreenRow,
} from "./row.ts";

type GridOptions = {
  columns: number;
  rows: number;
  /** A row has scrolled off the top of the screen for good. */
  onScrolledOff(row: ScreenRow): void;
  /** Something in the row has changed. */
  onTouched(row: number): void;
};

export class Grid {
  rows: ScreenRow[];
  row = 0;
  column = 0;
  /** The last column was written; the next character begins a new row. */
  #isFull = false;
  #top = 0;
  #bottom: number;
  wrapsLines = true;
  inserts = false;
  readonly #options: GridOptions;

  constructor(options: GridOptions) {
    this.#options = options;
    this.rows = Array.from({ length: options.rows }, emptyRow);
    this.#bottom = options.rows - 1;
  }

  write(text: string): void {
    if (isPlain(text)) this.#writePlain(text);
    else this.#writeAny(text);
  }

  #writePlain(text: string): void {
    for (let at = 0; at < text.length;) {
      this.#startRowIfFull();
      const piece = text.slice(at, at + this.#options.columns - this.column);
      this.#put(piece, piece.length);
      at += piece.length;
    }
  }

  #writeAny(text: string): void {
    const joined = fitting(text, 0).piece;
    if (joined !== "") writeCells(this.#current(), this.#isFull ? this.column + 1 : this.column, joined);
    for (let at = joined.length; at < text.length;) {
      this.#startRowIfFull();
      const { piece, width } = fitting(text.slice(at, at + 4096), this.#options.columns - this.column);
      if (piece !== "") this.#put(piece, width);
      // A wide character does not fit the last column: the row wraps, or without wrapping the rest is lost.
      else if (this.wrapsLines) this.#isFull = true;
      else return;
      at += piece.length;
    }
  }

  #put(piece: string, width: number): void {
    const row = this.#current();
    const { columns } = this.#options;
    if (this.inserts) insertBlanks(row, { column: this.column, count: width, columns });
    writeCells(row, this.column, piece);
    this.#options.onTouched(this.row);
    this.column += width;
    if (this.column < columns) return;
    this.column = columns - 1;
    this.#isFull = true;
  }

  #startRowIfFull(): void {
    if (!this.#isFull) return;
    if (this.wrapsLines) {
      this.#current().wraps = true;
      this.lineFeed();
      this.column = 0;
    }
    this.#isFull = false;
  }

  #current(): ScreenRow {
    return this.rowAt(this.row);
  }

  rowAt(row: number): ScreenRow {
    return (this.rows[row] ??= emptyRow());
  }

  lineFeed(): void {
    this.#isFull = false;
    if (this.row === this.#bottom) this.#scrollUp();
    else if (this.row < this.#options.rows - 1) this.row += 1;
  }

  reverseLineFeed(): void {
    this.#isFull = false;
    if (this.row === this.#top) this.scrollDown(1);
    else if (this.row > 0) this.row -= 1;
  }

  moveTo(row: number, column: number): void {
    this.#isFull = false;
    this.row = Math.max(0, Math.min(this.#options.rows - 1, row));
    this.column = Math.max(0, Math.min(this.#options.columns - 1, column));
  }

  /** EL: 0 erases from the cursor to the end, 1 from the start to the cursor, 2 everything. */
  eraseInLine(how: number): void {
    this.#isFull = false;
    const row = this.#current();
    const from = how === 0 ? this.column : 0;
    erase(row, from, how === 1 ? this.column + 1 : this.#options.columns);
    if (how !== 1) row.wraps = false;
    this.#options.onTouched(this.row);
  }

  /** ED: the same for the screen. */
  eraseInScreen(how: number): void {
    this.eraseInLine(how);
    const from = how === 0 ? this.row + 1 : 0;
    const to = how === 1 ? this.row : this.#options.rows;
    for (let row = from; row < to; row++) {
      if (this.rowAt(row).text !== "") this.#options.onTouched(row);
      this.rows[row] = emptyRow();
    }
  }

  /** Scrolls the whole content off the top; the cursor stays. */
  scrollOff(): void {
    const last = this.rows.findLastIndex((row) => row.text !== "");
    for (const [at, row] of this.rows.slice(0, last + 1).entries())
      this.#options.onScrolledOff(at === last ? { ...row, wraps: false } : row);
    this.rows = Array.from({ length: this.#options.rows }, emptyRow);
  }

  eraseCells(count: number): void {
    erase(this.#current(), this.column, this.column + count);
    this.#options.onTouched(this.row);
  }

  insertCells(count: number): void {
    insertBlanks(this.#current(), { column: this.column, count, columns: this.#options.columns });
    this.#options.onTouched(this.row);
  }

  deleteCells(count: number): void {
    deleteCells(this.#current(), { column: this.column, count });
    this.#options.onTouched(this.row);
  }

  insertLines(count: number): void {
    if (this.row >= this.#top && this.row <= this.#bottom) this.#shiftDown(this.row, count);
  }

  deleteLines(count: number): void {
    if (this.row < this.#top || this.row > this.#bottom) return;
    this.#shiftUp(this.row, count);
  }

  scrollUp(count: number): void {
    for (let done = 0; done < Math.min(count, this.#options.rows); done++) this.#scrollUp();
  }

  scrollDown(count: number): void {
    this.#shiftDown(this.#top, count);
  }

  /** Rows count from 1; invalid values select the whole screen. */
  setRegion(top: number, bottom: number): void {
    const last = this.#options.rows;
    const isRegion = top >= 1 && bottom <= last && top < bottom;
    this.#top = isRegion ? top - 1 : 0;
    this.#bottom = isRegion ? bottom - 1 : last - 1;
    this.moveTo(0, 0);
  }

  reset(): void {
    this.setRegion(0, 0);
    this.wrapsLines = true;
    this.inserts = false;
  }

  #scrollUp(): void {
    if (this.#top > 0) {
      this.#shiftUp(this.#top, 1);
      return;
    }
    const [first] = this.rows.splice(0, 1);
    if (first) this.#options.onScrolledOff(first);
    this.rows.splice(this.#bottom, 0, emptyRow());
  }

  #shiftUp(from: number, wanted: number): void {
    const count = Math.min(wanted, this.#bottom - from + 1);
    this.rows.splice(from, count);
    this.rows.splice(this.#bottom - count + 1, 0, ...Array.from({ length: count }, emptyRow));
    this.#options.onTouched(from);
  }

  #shiftDown(from: number, wanted: number): void {
    const count = Math.min(wanted, this.#bottom - from + 1);
    this.rows.splice(this.#bottom - count + 1, count);
    this.rows.splice(from, 0, ...Array.from({ length: count }, emptyRow));
    this.#options.onTouched(from);
  }
}
