/** The texts that were cut from an input, newest last, to be inserted again. */

/** More than anybody goes through. */
const mostKilled = 32;

export class KillRing {
  #texts: string[] = [];
  #at = 0;
  #goesOn = false;

  /** A cut right after another one adds to it; `before`: it stood before the cursor. */
  add(text: string, before: boolean): void {
    const last = this.#goesOn ? (this.#texts.pop() ?? "") : "";
    this.#texts.push(before ? text + last : last + text);
    this.#texts = this.#texts.slice(-mostKilled);
    this.#at = this.#texts.length - 1;
    this.#goesOn = true;
  }

  /** Another action than a cut happened. */
  pause(): void {
    this.#goesOn = false;
  }

  /** The text before the one that was inserted last; after the oldest comes the newest. */
  earlier(): string {
    this.#at = (this.#at + this.#texts.length - 1) % Math.max(1, this.#texts.length);
    return this.#texts[this.#at] ?? "";
  }

  /** The newest text. */
  again(): string {
    this.#at = Math.max(0, this.#texts.length - 1);
    return this.#texts.at(-1) ?? "";
  }
}
