/** A text that grows, as rows below each other: finished ones, which are given out once, and the open ones. */

import { visibleText } from "../../base/visible-text.ts";
import type { Style } from "../../view/style.ts";
import { styledRows } from "../styled-rows.ts";

/** Lays a growing text out; rows that it has returned as finished never change. */
type RowsOfText = {
  append(text: string): string[];
  end(): string[];
  open(): readonly string[];
};

export type TextRowsSetup = {
  style: Style;
  columns: () => number;
  /** Lays out Markdown of the model within so many columns. */
  markdown: (columns: () => number) => RowsOfText;
};

const margin = "  ";

export class TextRows {
  readonly #rows: RowsOfText;
  #taken = 0;
  #isEnded = false;
  #finished: string[] = [];
  /** Whether rows have been given out. */
  hasGivenOut = false;

  /** `isOurs`: said by us, not by the model. */
  constructor({ style, columns, markdown }: TextRowsSetup, isOurs: boolean) {
    const inner = (): number => columns() - margin.length;
    this.#rows = isOurs ? new PlainRows(inner, style.yellow) : markdown(inner);
  }

  /** `text` begins with what was given before. */
  grow(text: string, isWhole: boolean): void {
    if (this.#isEnded) return;
    if (text.length > this.#taken) this.#add(this.#rows.append(text.slice(this.#taken)));
    this.#taken = Math.max(this.#taken, text.length);
    if (!isWhole) return;
    this.#isEnded = true;
    this.#add(this.#rows.end());
  }

  /** Finished rows that have not been given out. */
  get finished(): readonly string[] {
    return this.#finished;
  }

  takeFinished(): string[] {
    const rows = this.#finished;
    this.#finished = [];
    this.hasGivenOut ||= rows.length > 0;
    return rows;
  }

  open(): string[] {
    return this.#isEnded ? [] : this.#rows.open().map(withMargin);
  }

  #add(rows: readonly string[]): void {
    for (const row of rows) this.#finished.push(withMargin(row));
  }
}

const withMargin = (row: string): string => (row === "" ? "" : margin + row);

/** Sentences of our own: all of it at once, in one colour. */
class PlainRows implements RowsOfText {
  readonly #columns: () => number;
  readonly #paint: (text: string) => string;
  #text = "";

  constructor(columns: () => number, paint: (text: string) => string) {
    this.#columns = columns;
    this.#paint = paint;
  }

  append(text: string): string[] {
    this.#text += text;
    return [];
  }

  end(): string[] {
    return [...this.open()];
  }

  open(): readonly string[] {
    const lines = visibleText(this.#text.trimEnd()).split("\n");
    return lines.flatMap((line) => styledRows(this.#paint(line), this.#columns()));
  }
}
