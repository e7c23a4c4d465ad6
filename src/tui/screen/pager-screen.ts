/** What stands over the conversation for as long as the person reads it: one page at a time. */

import { visibleLine } from "../../view/visible.ts";
import type { TerminalKey } from "../input/key.ts";
import type { ProcessTerminal } from "../process-terminal.ts";
import { styledRows } from "../styled-rows.ts";
import type { SessionEvents } from "../terminal.ts";
import type { RowLayout } from "./block-rows.ts";
import { Pager } from "./pager.ts";
import type { SessionPage } from "./session-page.ts";

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
