/** The output of a command in a person's terminal: its beginning and its end, however much it prints. */

import { plainOutput } from "../../../../../src/base/terminal/plain-text.ts";

/** In characters. */
const most = { head: 20_000, tail: 80_000 };

export class KeptOutput {
  #head = "";
  #tail = "";
  #all = 0;

  add(text: string): void {
    const room = most.head - this.#head.length;
    this.#all += text.length;
    this.#head += text.slice(0, room);
    this.#tail = (this.#tail + text.slice(room)).slice(-most.tail);
  }

  /** As the terminal shows it in the end, without what steers it. */
  get text(): string {
    const left = this.#all - this.#head.length - this.#tail.length;
    if (left === 0) return plainOutput(this.#head + this.#tail).trim();
    const gap = `\n[… ${left} characters left out …]\n`;
    return `${plainOutput(this.#head)}${gap}${plainOutput(this.#tail)}`.trim();
  }
}
