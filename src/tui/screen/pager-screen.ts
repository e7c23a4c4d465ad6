/** What stands over the conversation for as long as the person reads it: one page at a time. */

import { visibleLine } from "../../base/visible-text.ts";
import type { TerminalKey } from "../input/key.ts";
import type { ProcessTerminal } from "../process-terminal.ts";
import { styledRows, clippedRow } from "../styled-rows.ts";
import type { SessionEvents } from "../terminal.ts";
import type { RowLayout } from "./block-rows.ts";
import type { SessionPage } from "./session-page.ts";
import { hintedRow } from "./status-row.ts";

export class PagerScreen {
  readonly #terminal: ProcessTerminal;
  readonly #layout: () => RowLayout;
  #pager: Pager | undefined;
  #left = new AbortController();

  constructor(terminal: ProcessTerminal, layout: () => RowLayout) {
    this.#terminal = terminal;
    this.#layout = layout;
  }

  get isOpen(): boolean {
    return this.#pager !== undefined;
  }

  /** `content`: laid out for a width. Returns what aborts when the page is left. */
  open(content: (layout: RowLayout) => readonly string[]): AbortSignal {
    this.#left.abort();
    this.#left = new AbortController();
    const terminal = this.#terminal;
    const { print } = terminal;
    this.#pager = new Pager({ print, layout: this.#layout, height: () => terminal.rows(), content });
    return this.#left.signal;
  }

  openText(text: string): void {
    const lines = text.split("\n").map(visibleLine);
    this.open(({ columns }) => lines.flatMap((line) => styledRows(line, columns)));
  }

  /** Until the page is left, or nothing happens any more. */
  async follow(events: SessionEvents, page: SessionPage, changed: () => void): Promise<void> {
    const left = this.open((layout) => page.rows(layout));
    for await (const event of events(left)) {
      page.show(event);
      changed();
    }
  }

  /** Returns whether the person has seen enough. */
  press(key: TerminalKey): boolean {
    if (this.#pager?.press(key) !== true) return false;
    this.#pager = undefined;
    this.#left.abort();
    return true;
  }

  paint(): void {
    this.#pager?.paint();
  }

  close(): void {
    this.#pager?.close();
    this.#pager = undefined;
    this.#left.abort();
  }
}

const enter = "\u001B[?1049h\u001B[?25l";
const leave = "\u001B[?25h\u001B[?1049l";
const home = "\u001B[H";
const eraseRight = "\u001B[K";
const eraseBelow = "\u001B[J";

type PagerSetup = {
  print: (text: string) => void;
  layout: () => RowLayout;
  height: () => number;
  /** Lays the text out for a width. */
  content: (layout: RowLayout) => readonly string[];
};

/** Shows rows that are too many for the screen, on the terminal's other screen: nothing of it stays. */
class Pager {
  readonly #setup: PagerSetup;
  #top = 0;
  #painted = "";

  constructor(setup: PagerSetup) {
    this.#setup = setup;
    setup.print(enter);
    this.paint();
  }

  /** Returns whether the person has seen enough. */
  press(key: TerminalKey): boolean {
    if (key.type !== "key") return false;
    const page = Math.max(1, this.#room - 1);
    const steps: Readonly<Record<string, number>> = {
      down: 1,
      j: 1,
      enter: 1,
      up: -1,
      k: -1,
      pagedown: page,
      space: page,
      pageup: -page,
      b: -page,
      home: -Infinity,
      end: Infinity,
    };
    if (key.name === "q" || key.name === "escape" || (key.ctrl && key.name === "c")) {
      this.close();
      return true;
    }
    const step = key.name === "g" ? (key.shift ? Infinity : -Infinity) : steps[key.name];
    if (step !== undefined) this.#scroll(step);
    return false;
  }

  /** Gives the main screen back. */
  close(): void {
    this.#setup.print(leave);
  }

  paint(): void {
    const { content, layout, print } = this.#setup;
    const at = layout();
    const rows = content(at);
    const shown = rows.slice(this.#top, this.#top + this.#room).map((row) => clippedRow(row, at.columns));
    const blank = Array.from({ length: Math.max(0, this.#room - shown.length) }, () => "");
    const last = Math.min(rows.length, this.#top + this.#room);
    const where = `rows ${Math.min(last, this.#top + 1)}–${last} of ${rows.length}`;
    const status = at.style.dim(hintedRow([{ words: where, rank: 0 }], ["q back", "↑↓ space b"], at));
    const page = [...shown, ...blank, status].map((row) => row + eraseRight).join("\r\n");
    if (page !== this.#painted) print(home + page + eraseBelow);
    this.#painted = page;
  }

  get #room(): number {
    return Math.max(1, this.#setup.height() - 1);
  }

  #scroll(by: number): void {
    const rows = this.#setup.content(this.#setup.layout()).length;
    const top = Math.min(Math.max(0, rows - this.#room), Math.max(0, this.#top + by));
    if (top === this.#top) return;
    this.#top = top;
    this.paint();
  }
}
