/**
 * Emulates a terminal's screen: what a person would see of a program's output, and the lines that scrolled off above
 * it, numbered from the first. Enough of xterm for shells, progress bars and full-screen programs; no colours.
 */

import { kib } from "../bound.ts";
import { type ControlHandler, ControlReader, type ControlSequence } from "./control-text.ts";
import { Grid } from "./grid.ts";
import { LineLog } from "./line-log.ts";
import { type ScreenRow, writeCells } from "./row.ts";

type ScreenOptions = {
  columns: number;
  rows: number;
  /** How many characters of lines above the screen are retained. */
  space: number;
  /** Sends the terminal's reply to a query of the program, such as the cursor position. */
  answer(this: void, characters: string): void;
};

/** Longer lines are cut here. */
const longestLine = 16 * kib;

export class TerminalScreen {
  readonly #options: ScreenOptions;
  readonly #decoder = new TextDecoder();
  readonly #reader = new ControlReader();
  readonly #log: LineLog;
  /** The part of the screen's first line that has already scrolled off. */
  #openLine = "";
  #scrolledRows = 0;
  readonly #main: Grid;
  #other: Grid | undefined;
  #saved = { row: 0, column: 0 };
  #drawsLines = false;
  #lastCharacter = "";
  #touched: { row: number; line: number } | undefined;
  /** The program has chosen the application encoding of cursor keys. */
  cursorKeysApplication = false;
  /** The program has requested bracketed paste. */
  takesPastes = false;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#log = new LineLog(options.space);
    this.#main = new Grid({
      ...options,
      onScrolledOff: (row) => this.#scrolledOff(row),
      onTouched: (row) => this.#touch(row),
    });
  }

  write(bytes: Uint8Array): void {
    this.#reader.read(this.#decoder.decode(bytes, { stream: true }), this.#handler);
  }

  /** Whether a full-screen program uses the screen. */
  get isFullScreen(): boolean {
    return this.#other !== undefined;
  }

  /** The number of the oldest retained line. */
  get first(): number {
    return this.#log.first;
  }

  /** How many lines have scrolled off, which is the number of the first one on the screen. */
  get scrolledOff(): number {
    return this.#log.total;
  }

  /** The number of the line with the cursor. */
  get cursorLine(): number {
    return this.#lineOf(this.#main.row);
  }

  /** The first line that has changed since `look`, on the screen as well; undefined if none has. */
  get changedFrom(): number | undefined {
    return this.#touched?.line;
  }

  /** Marks everything so far as seen. */
  look(): void {
    this.#touched = undefined;
  }

  /** The lines from a number on, up to the last non-empty one or the cursor's. */
  since(line: number): string[] {
    const { rows, row } = this.#main;
    const last = Math.max(
      row,
      rows.findLastIndex(({ text }) => text !== ""),
    );
    const shown: string[] = [];
    let open = this.#openLine;
    for (const { text, wraps } of rows.slice(0, last + 1)) {
      open += text;
      if (wraps) continue;
      shown.push(open);
      open = "";
    }
    if (open !== "") shown.push(open);
    return [...this.#log.since(line), ...shown.slice(Math.max(0, line - this.#log.total))];
  }

  /** The current rows of the screen, without empty ones at its end. */
  present(): string[] {
    const { rows } = this.#other ?? this.#main;
    const last = rows.findLastIndex(({ text }) => text.trim() !== "");
    return rows.slice(0, last + 1).map(({ text }) => text.trimEnd());
  }

  /** The cursor's position on the screen, both counted from 1. */
  get cursor(): { row: number; column: number } {
    const { row, column } = this.#grid;
    return { row: row + 1, column: column + 1 };
  }

  /** The text before the cursor in its row, where a prompt would be. */
  beforeCursor(): string {
    const { row, column } = this.#grid;
    return this.#grid.rowAt(row).text.slice(0, column + 1);
  }

  get #grid(): Grid {
    return this.#other ?? this.#main;
  }

  #lineOf(row: number): number {
    const before = this.#main.rows.slice(0, row).filter(({ wraps }) => !wraps);
    return this.#log.total + before.length;
  }

  /** Compares rows first: finding a line number costs more, and output mostly moves downwards. */
  #touch(row: number): void {
    const absolute = this.#scrolledRows + row;
    if (this.#touched && this.#touched.row <= absolute) return;
    const line = Math.min(this.#lineOf(row), this.#touched?.line ?? Number.POSITIVE_INFINITY);
    this.#touched = { row: absolute, line };
  }

  #scrolledOff({ text, wraps }: ScreenRow): void {
    this.#scrolledRows += 1;
    const line = this.#openLine + text;
    if (wraps && line.length < longestLine) {
      this.#openLine = line;
      return;
    }
    this.#openLine = "";
    this.#log.add(line.trimEnd());
  }

  readonly #handler: ControlHandler = {
    text: (run) => {
      const text = this.#drawsLines ? lineDrawing(run) : run;
      this.#lastCharacter = text.slice(-1);
      this.#grid.write(text);
    },
    control: (character) => this.#control(character),
    sequence: (sequence) => this.#sequence(sequence),
    escape: (between, final) => this.#escape(between, final),
  };

  #control(character: string): void {
    const grid = this.#grid;
    switch (character) {
      case "\n":
      case "\v":
      case "\f":
        return grid.lineFeed();
      case "\r":
        return grid.moveTo(grid.row, 0);
      case "\b":
        return grid.moveTo(grid.row, grid.column - 1);
      case "\t":
        return this.#tab();
      default:
        return undefined;
    }
  }

  /** Over existing text a tab only moves the cursor; at the end of a line it writes spaces. */
  #tab(): void {
    const grid = this.#grid;
    const column = Math.min(this.#options.columns - 1, (Math.floor(grid.column / 8) + 1) * 8);
    const row = grid.rowAt(grid.row);
    if (row.plain && row.text.length < column)
      writeCells(row, row.text.length, " ".repeat(column - row.text.length));
    grid.moveTo(grid.row, column);
  }

  #escape(between: string, final: string): void {
    const grid = this.#grid;
    if (between === "(" || between === ")") {
      if (between === "(") this.#drawsLines = final === "0";
      return;
    }
    if (between !== "") return;
    if (final === "7") this.#saved = { row: grid.row, column: grid.column };
    else if (final === "8") grid.moveTo(this.#saved.row, this.#saved.column);
    else if (final === "D") grid.lineFeed();
    else if (final === "M") grid.reverseLineFeed();
    else if (final === "E") {
      grid.lineFeed();
      grid.moveTo(grid.row, 0);
    } else if (final === "c") this.#reset();
  }

  #reset(): void {
    this.#other = undefined;
    this.#main.scrollOff();
    this.#main.reset();
    this.#drawsLines = false;
    this.cursorKeysApplication = false;
    this.takesPastes = false;
  }

  #sequence({ prefix, numbers, between, final }: ControlSequence): void {
    if (final === "h" || final === "l") return this.#setModes(prefix, numbers, final === "h");
    if (final === "c" || final === "n") return this.#report(prefix, numbers[0] ?? 0, final);
    if (prefix !== "" && !(prefix === "?" && (final === "J" || final === "K"))) return undefined;
    if (between === "!" && final === "p") return this.#grid.reset();
    if (between !== "") return undefined;
    if (this.#move(final, numbers)) return undefined;
    return this.#change(final, numbers);
  }

  #move(final: string, numbers: readonly number[]): boolean {
    const grid = this.#grid;
    const { row, column } = grid;
    const count = Math.max(1, numbers[0] ?? 1);
    const moves: Readonly<Record<string, () => void>> = {
      A: () => grid.moveTo(row - count, column),
      B: () => grid.moveTo(row + count, column),
      e: () => grid.moveTo(row + count, column),
      C: () => grid.moveTo(row, column + count),
      a: () => grid.moveTo(row, column + count),
      D: () => grid.moveTo(row, column - count),
      E: () => grid.moveTo(row + count, 0),
      F: () => grid.moveTo(row - count, 0),
      G: () => grid.moveTo(row, count - 1),
      "`": () => grid.moveTo(row, count - 1),
      d: () => grid.moveTo(count - 1, column),
      H: () => grid.moveTo(count - 1, Math.max(1, numbers[1] ?? 1) - 1),
      f: () => grid.moveTo(count - 1, Math.max(1, numbers[1] ?? 1) - 1),
      s: () => void (this.#saved = { row, column }),
      u: () => grid.moveTo(this.#saved.row, this.#saved.column),
    };
    const move = Object.hasOwn(moves, final) ? moves[final] : undefined;
    move?.();
    return move !== undefined;
  }

  #change(final: string, numbers: readonly number[]): void {
    const grid = this.#grid;
    const count = Math.max(1, numbers[0] ?? 1);
    switch (final) {
      case "J":
        return this.#eraseScreen(numbers[0] ?? 0);
      case "K":
        return grid.eraseInLine(numbers[0] ?? 0);
      case "L":
        return grid.insertLines(count);
      case "M":
        return grid.deleteLines(count);
      case "@":
        return grid.insertCells(count);
      case "P":
        return grid.deleteCells(count);
      case "X":
        return grid.eraseCells(count);
      case "S":
        return grid.scrollUp(count);
      case "T":
        return grid.scrollDown(count);
      case "b":
        return grid.write(this.#lastCharacter.repeat(Math.min(count, this.#options.columns)));
      case "r":
        return grid.setRegion(numbers[0] ?? 0, numbers[1] ?? this.#options.rows);
      default:
        return undefined;
    }
  }

  /** A cleared screen goes to the log: its text was output too. */
  #eraseScreen(how: number): void {
    const grid = this.#grid;
    const isWhole = how === 2 || (how === 0 && grid.row === 0 && grid.column === 0);
    if (how > 2) return;
    if (isWhole && !this.#other) grid.scrollOff();
    else grid.eraseInScreen(how);
  }

  #setModes(prefix: string, numbers: readonly number[], on: boolean): void {
    for (const number of numbers) {
      if (prefix === "" && number === 4) this.#grid.inserts = on;
      if (prefix !== "?") continue;
      if (number === 1) this.cursorKeysApplication = on;
      if (number === 7) this.#grid.wrapsLines = on;
      if (number === 2004) this.takesPastes = on;
      if (number === 47 || number === 1047 || number === 1049) this.#fullScreen(on);
    }
  }

  #fullScreen(on: boolean): void {
    if (!on) this.#other = undefined;
    else this.#other ??= new Grid({ ...this.#options, onScrolledOff: () => {}, onTouched: () => {} });
  }

  #report(prefix: string, number: number, final: string): void {
    const { row, column } = this.#grid;
    const { answer } = this.#options;
    if (final === "c" && prefix === "" && number === 0) answer("\x1b[?1;2c");
    if (final === "c" && prefix === ">" && number === 0) answer("\x1b[>0;0;0c");
    if (final === "n" && prefix === "" && number === 5) answer("\x1b[0n");
    if (final === "n" && prefix === "" && number === 6) answer(`\x1b[${row + 1};${column + 1}R`);
  }
}

const drawn: Readonly<Record<string, string>> = {
  j: "┘",
  k: "┐",
  l: "┌",
  m: "└",
  n: "┼",
  q: "─",
  t: "├",
  u: "┤",
  v: "┴",
  w: "┬",
  x: "│",
};

/** Maps letters to the line-drawing characters of the VT100 (`ESC ( 0`). */
const lineDrawing = (text: string): string => text.replace(/[j-x]/g, (letter) => drawn[letter] ?? letter);
