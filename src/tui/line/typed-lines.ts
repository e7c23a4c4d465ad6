/** Lines as they are typed or pasted: those that arrive together are one text, and texts may wait for their turn. */

import { mib } from "../../base/bound.ts";

/** Text typed while no input is expected, in characters. */
export const mostTypedAhead = mib;

/** Lines that arrive closer together than this were pasted and form one message. */
const pasteMs = 25;

export class TypedLines {
  readonly #whole: () => void;
  #lines: string[] = [];
  #ahead: string[] = [];
  /** Characters of all of them. */
  #length = 0;
  #isLost = false;
  #flush: NodeJS.Timeout | undefined;

  /** `whole`: called when no line has followed the last one. */
  constructor(whole: () => void) {
    this.#whole = whole;
  }

  /** The lines that have arrived, in one row. */
  get shown(): string {
    return this.#lines.map((line) => `${line}⏎`).join("");
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  add(line: string): void {
    if (this.#length + line.length > mostTypedAhead) this.#isLost = true;
    else {
      this.#lines.push(line);
      this.#length += line.length + 1;
    }
    clearTimeout(this.#flush);
    this.#flush = setTimeout(this.#whole, pasteMs);
  }

  /** Takes the lines that have arrived. */
  take(): string {
    clearTimeout(this.#flush);
    const text = this.#lines.join("\n");
    this.#length -= this.#lines.reduce((sum, line) => sum + line.length + 1, 0);
    this.#lines = [];
    return text;
  }

  /** Keeps a text until `next`. */
  keep(text: string): void {
    this.#ahead.push(text);
    this.#length += text.length;
  }

  next(): string | undefined {
    const text = this.#ahead.shift();
    this.#length -= text?.length ?? 0;
    return text;
  }

  /** Whether something was dropped since this was asked last. */
  hasLost(): boolean {
    const isLost = this.#isLost;
    this.#isLost = false;
    return isLost;
  }
}
