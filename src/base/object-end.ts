/** Tells where a JSON object that comes in pieces ends, without parsing it: each character is looked at once. */

import { JsonBrackets } from "./json-brackets.ts";

export class ObjectEnd {
  readonly #brackets = new JsonBrackets();
  #state: "blank" | "open" | "closed" | "other" = "blank";

  /** Whether the pieces so far are one object, as far as brackets tell, with nothing but white space around it. */
  get isClosed(): boolean {
    return this.#state === "closed";
  }

  take(piece: string): void {
    const from = this.#state === "blank" ? this.#begin(piece) : 0;
    const behind = this.#state === "open" ? this.#end(piece, from) : from;
    if (this.#state === "closed" && piece.slice(behind).trim() !== "") this.#state = "other";
  }

  /** Where the object begins. */
  #begin(piece: string): number {
    const start = piece.search(/\S/);
    if (start !== -1) this.#state = piece[start] === "{" ? "open" : "other";
    return Math.max(start, 0);
  }

  /** The position behind the object's last bracket, or the piece's end. */
  #end(piece: string, from: number): number {
    let at: number | undefined = from;
    do at = this.#brackets.next(piece, at);
    while (at !== undefined && this.#brackets.level > 0);
    if (at !== undefined) this.#state = "closed";
    return at ?? piece.length;
  }
}
