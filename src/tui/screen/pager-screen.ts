/** What stands over the conversation for as long as the person reads it: one page at a time. */

import type { TerminalKey } from "../input/key.ts";
import type { ProcessTerminal } from "../process-terminal.ts";
import type { RowLayout } from "./block-rows.ts";
import { Pager } from "./pager.ts";

export class PagerScreen {
  readonly #terminal: ProcessTerminal;
  readonly #layout: () => RowLayout;
  #pager: Pager | undefined;

  constructor(terminal: ProcessTerminal, layout: () => RowLayout) {
    this.#terminal = terminal;
    this.#layout = layout;
  }

  get isOpen(): boolean {
    return this.#pager !== undefined;
  }

  /** `content`: laid out for a width. */
  open(content: (layout: RowLayout) => readonly string[]): void {
    const terminal = this.#terminal;
    const { print } = terminal;
    this.#pager = new Pager({ print, layout: this.#layout, height: () => terminal.rows(), content });
  }

  /** Returns whether the person has seen enough. */
  press(key: TerminalKey): boolean {
    if (this.#pager?.press(key) !== true) return false;
    this.#pager = undefined;
    return true;
  }

  paint(): void {
    this.#pager?.paint();
  }

  close(): void {
    this.#pager?.close();
    this.#pager = undefined;
  }
}
