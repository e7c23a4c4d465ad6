/** The text that a person writes: typing, moving and cutting in it, pastes as one character each, and its rows. */

import { type Paste, Pastes } from "../pastes.ts";
import {
  columnAt,
  type FieldLayout,
  layoutOf,
  positionAt,
  rowOf,
  type RowPlace,
  rowsIn,
} from "./field-layout.ts";
import { graphemeAt, graphemeStart } from "./graphemes.ts";
import type { FieldAction } from "./key-bindings.ts";
import { KillRing } from "./kill-ring.ts";
import * as moves from "./text-moves.ts";
import { isBefore, type Position, WrittenText } from "./written-text.ts";

/** The rows of the text that are shown unless more are asked for. */
const usualRows = 10;

export class TextField {
  readonly #pastes: Pastes;
  readonly #killed = new KillRing();
  #written = new WrittenText();
  /** As it was laid out last: moving up and down follows what is seen. */
  #columns = 80;
  #top: RowPlace = { line: 0, row: 0 };
  /** The column that moving up and down returns to after shorter rows. */
  #goal: number | undefined;
  /** What was inserted from the ring, while nothing else has happened since. */
  #inserted: { from: Position; to: Position } | undefined;

  constructor(pastes: Pastes = new Pastes()) {
    this.#pastes = pastes;
  }

  /** As it is shown, with marks for pastes. */
  get text(): string {
    return this.#written.text;
  }

  get lines(): readonly string[] {
    return this.#written.lines;
  }

  get isEmpty(): boolean {
    return this.#written.isEmpty;
  }

  get cursor(): Position {
    return this.#written.cursor;
  }

  between(from: Position, to: Position): string {
    return this.#written.between(from, to);
  }

  /** What is sent: the text with its pastes in full. */
  expanded(): string {
    return this.#pastes.expand(this.text);
  }

  /** The text of the cursor's line before it. */
  beforeCursor(): string {
    return this.#line.slice(0, this.cursor.at);
  }

  type(text: string): void {
    this.#paused();
    this.#written.type(cleanText(text));
    this.#snap();
  }

  paste(paste: Paste): void {
    this.#paused();
    this.replace(this.cursor, this.cursor, this.#pastes.shown(paste));
  }

  /** Replaces everything; it can be undone. */
  set(text: string): void {
    this.#paused();
    this.replace({ line: 0, at: 0 }, this.#written.end, text);
  }

  /** Starts anew after a message was sent: there is nothing to undo. */
  reset(): void {
    this.#paused();
    this.#written = new WrittenText();
    this.#top = { line: 0, row: 0 };
  }

  moveTo(position: Position): void {
    this.#paused();
    this.#written.moveTo(moves.outside(this, position));
  }

  delete(from: Position, to: Position): void {
    this.#paused();
    this.replace(from, to, "");
  }

  /** Returns what was removed; the cursor is behind what was inserted. */
  replace(from: Position, to: Position, text: string): string {
    const removed = this.#written.replace(from, to, cleanText(text));
    this.#snap();
    return removed;
  }

  cut(from: Position, to: Position): void {
    this.#goal = undefined;
    this.#inserted = undefined;
    if (!isBefore(from, to)) return;
    const isBeforeCursor = isBefore(from, this.cursor);
    this.#killed.add(this.replace(from, to, ""), isBeforeCursor);
  }

  /** Keeps a text as if it had been cut. */
  keep(text: string): void {
    this.#killed.pause();
    this.#killed.add(text, false);
    this.#killed.pause();
  }

  undo(): boolean {
    this.#paused();
    return this.#written.undo();
  }

  /** A backslash before the cursor at the end of a line becomes a new line; returns whether there was one. */
  continueLine(): boolean {
    const { line, at } = this.cursor;
    if (at !== this.#line.length || !this.#line.endsWith("\\")) return false;
    this.#paused();
    this.replace({ line, at: at - 1 }, this.cursor, "\n");
    return true;
  }

  /** False where the text ends: at its first row for `up`, at its last for `down`, without a change for `undo`. */
  do(action: FieldAction): boolean {
    const { cursor } = this;
    switch (action) {
      case "up":
        return this.#moveRows(-1);
      case "down":
        return this.#moveRows(1);
      case "undo":
        return this.undo();
      case "new-line":
        this.type("\n");
        return true;
      case "insert-cut":
        this.#insertCut(this.#killed.again());
        return true;
      case "insert-earlier-cut":
        if (this.#inserted) this.#insertCut(this.#killed.earlier(), this.#inserted);
        return true;
      case "delete-left":
        this.delete(moves.before(this, cursor), cursor);
        return true;
      case "delete-right":
        this.delete(cursor, moves.after(this, cursor));
        return true;
      case "cut-to-space":
      case "cut-word-left":
      case "cut-to-start":
        this.cut(this.#targetOf(action), cursor);
        return true;
      case "cut-word-right":
      case "cut-to-end":
        this.cut(cursor, this.#targetOf(action));
        return true;
      default:
        this.moveTo(this.#targetOf(action));
        return true;
    }
  }

  layout(columns: number, most = usualRows): FieldLayout {
    this.#columns = columns;
    const { lines, cursor } = this;
    const { top, ...layout } = layoutOf({ lines, cursor, columns }, Math.max(1, most), this.#top);
    this.#top = top;
    return layout;
  }

  marksIn(line: string): { from: number; to: number }[] {
    // What stands beside a mark may join its brackets.
    return this.#pastes.marksIn(line).map(({ from, to }) => ({
      from: graphemeAt(line, from) === from ? from : graphemeStart(line, from),
      to: graphemeAt(line, to),
    }));
  }

  #targetOf(action: MovingAction): Position {
    const { cursor } = this;
    switch (action) {
      case "character-left":
        return moves.before(this, cursor);
      case "character-right":
        return moves.after(this, cursor);
      case "word-left":
      case "cut-word-left":
        return moves.wordBefore(this, cursor);
      case "word-right":
      case "cut-word-right":
        return moves.wordAfter(this, cursor);
      case "cut-to-space":
        return moves.spaceBefore(this, cursor);
      case "line-start":
        return moves.lineStart(cursor);
      case "line-end":
        return moves.lineEnd(this, cursor);
      // A cut at the border of a line joins it with the next one.
      case "cut-to-start":
        return cursor.at === 0 ? moves.before(this, cursor) : moves.lineStart(cursor);
      case "cut-to-end": {
        const end = moves.lineEnd(this, cursor);
        return cursor.at === end.at ? moves.after(this, cursor) : end;
      }
      case "text-start":
        return moves.textStart;
      case "text-end":
        return moves.textEnd(this);
      default:
        action satisfies never;
        return cursor;
    }
  }

  #moveRows(step: 1 | -1): boolean {
    const { line, at } = this.cursor;
    const text = this.#line;
    const rows = rowsIn(text, this.#columns);
    const row = rowOf(rows, at);
    const goal = this.#goal ?? columnAt(text, rows[row], at);
    this.#paused();
    this.#goal = goal;
    const isWithin = rows[row + step] !== undefined;
    const next = this.lines[line + step];
    if (!isWithin && next === undefined) return false;
    const target = isWithin ? { line, text, rows } : this.#rowsOf(line + step, next ?? "");
    const first = step === 1 ? 0 : target.rows.length - 1;
    const column = positionAt(target.text, target.rows, { row: isWithin ? row + step : first, column: goal });
    this.#written.moveTo(moves.outside(this, { line: target.line, at: column }));
    return true;
  }

  #rowsOf(line: number, text: string) {
    return { line, text, rows: rowsIn(text, this.#columns) };
  }

  #insertCut(text: string, instead?: { from: Position; to: Position }): void {
    const from = instead?.from ?? this.cursor;
    this.#paused();
    if (text === "") return;
    this.replace(from, instead?.to ?? from, text);
    this.#inserted = { from, to: this.cursor };
  }

  get #line(): string {
    return this.#written.lineAt(this.cursor.line);
  }

  /** Something else than what the ring and the column wait for happened. */
  #paused(): void {
    this.#killed.pause();
    this.#inserted = undefined;
    this.#goal = undefined;
  }

  /** What was inserted may have joined the character behind it. */
  #snap(): void {
    const position = moves.outside(this, this.cursor);
    if (position.at !== this.cursor.at) this.#written.moveTo(position);
  }
}

type MovingAction = Exclude<
  FieldAction,
  "up" | "down" | "undo" | "new-line" | "insert-cut" | "insert-earlier-cut" | "delete-left" | "delete-right"
>;

/** Line ends are line feeds, and no character is half. */
const cleanText = (text: string): string => text.replaceAll(/\r\n?/gu, "\n").toWellFormed();
