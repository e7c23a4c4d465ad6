/** Tells where a JSON object that comes in pieces ends, without parsing it: each character is looked at once. */

/** A string in the object is left by a quotation mark, anything else by a bracket or the beginning of a string. */
const marksInString = /["\\]/g;
const marksOutside = /["{}[\]]/g;

export class ObjectEnd {
  #level = 0;
  #isInString = false;
  /** The piece so far ended with a backslash in a string. */
  #isEscaped = false;
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
    let at = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    for (let mark = this.#next(piece, at); mark !== undefined; mark = this.#next(piece, at)) {
      at = mark + 1;
      const sign = piece[mark];
      if (sign === "\\") {
        this.#isEscaped = at === piece.length;
        at += 1;
      } else if (sign === '"') this.#isInString = !this.#isInString;
      else this.#level += sign === "{" || sign === "[" ? 1 : -1;
      if (this.#level > 0) continue;
      this.#state = "closed";
      return at;
    }
    return piece.length;
  }

  #next(piece: string, from: number): number | undefined {
    const marks = this.#isInString ? marksInString : marksOutside;
    marks.lastIndex = from;
    return marks.exec(piece)?.index;
  }
}
