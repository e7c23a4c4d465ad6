/** Turns Markdown that is still being written into rows for a terminal; finished rows never change. */

import { showable, visibleText } from "../../base/visible-text.ts";
import type { Style } from "../../view/style.ts";
import type { CodeColours } from "./code-colours.ts";
import {
  beginLine,
  continueLine,
  copyOf,
  endDocument,
  endLine,
  type MarkdownDocument,
  newDocument,
  type RowSetup,
} from "./document.ts";
import { isDecided } from "./line-starts.ts";

export type MarkdownSetup = {
  columns: () => number;
  style: Style;
  /** The terminal shows links (OSC 8). */
  links: boolean;
  /** Else marks, tables and rules are plain ASCII. */
  unicode: boolean;
  highlight: CodeColours;
};

/**
 * The text is read in steps, so that the rows do not depend on how it arrives: a step ends with a word or a line, or
 * within a word that is long.
 */
const steps = /[^ \n]{0,15}[ \n]|[^ \n]{16}/gy;
const tabWidth = 4;

export class MarkdownRows {
  readonly #setup: MarkdownSetup;
  readonly #document: MarkdownDocument = newDocument();
  /** Half a character, or a CR that may be half a line end. */
  #half = "";
  /** What has not made a step yet. */
  #rest = "";
  /** The beginning of a line of which it is not yet clear what it begins; undefined once it is. */
  #start: string | undefined = "";
  /** The column in the source, for its tabs. */
  #column = 0;
  #open: readonly string[] | undefined;

  constructor(setup: MarkdownSetup) {
    this.#setup = setup;
  }

  /** Takes the next part of the text; returns the rows that are finished by it. */
  append(text: string): string[] {
    const all = this.#half + text;
    const end = showable(all);
    this.#half = all.slice(end);
    return this.#read(visibleText(all.slice(0, end)));
  }

  /** The text is over: returns all remaining rows. */
  end(): string[] {
    const rows = this.#read(visibleText(this.#half));
    this.#half = "";
    this.#finish(this.#document, (row) => rows.push(row));
    this.#rest = "";
    this.#start = "";
    return rows;
  }

  /** The rows below the finished ones as they look now; they may change with the next part. */
  open(): readonly string[] {
    if (this.#open) return this.#open;
    const rows: string[] = [];
    this.#finish(copyOf(this.#document), (row) => rows.push(row));
    return (this.#open = rows);
  }

  #read(text: string): string[] {
    this.#open = undefined;
    const rows: string[] = [];
    const setup = this.#rowSetup((row) => rows.push(row));
    const all = this.#rest + this.#withoutTabs(text);
    let read = 0;
    for (const [part] of all.matchAll(steps)) {
      const isLineEnd = part.endsWith("\n");
      this.#step(isLineEnd ? part.slice(0, -1) : part, isLineEnd, setup);
      read += part.length;
    }
    this.#rest = all.slice(read);
    return rows;
  }

  #step(text: string, isLineEnd: boolean, setup: RowSetup): void {
    if (this.#start === undefined) {
      if (text !== "") continueLine(this.#document, text, setup);
    } else {
      this.#start += text;
      if (!isLineEnd && !isDecided(this.#start)) return;
      beginLine(this.#document, this.#start, setup);
      this.#start = undefined;
    }
    if (!isLineEnd) return;
    endLine(this.#document, setup);
    this.#start = "";
  }

  #finish(document: MarkdownDocument, take: (row: string) => void): void {
    const setup = this.#rowSetup(take);
    if (this.#start === undefined) continueLine(document, this.#rest, setup);
    else if (this.#start + this.#rest !== "") beginLine(document, this.#start + this.#rest, setup);
    endDocument(document, setup);
  }

  #rowSetup(take: (row: string) => void): RowSetup {
    const { columns, style, links, unicode, highlight } = this.#setup;
    // The last column stays free: terminals disagree about what a full row does to the cursor.
    return { columns: Math.max(1, columns() - 1), style, links, unicode, colours: highlight, take };
  }

  #withoutTabs(text: string): string {
    let out = "";
    for (const part of text.split(/([\t\n])/u)) {
      const shown = part === "\t" ? " ".repeat(tabWidth - (this.#column % tabWidth)) : part;
      this.#column = part === "\n" ? 0 : this.#column + shown.length;
      out += shown;
    }
    return out;
  }
}
