/** What servers write of a call behind its complete arguments: the call may have begun to run, so none of it counts. */

/** The last closing brackets once more, the end of a fence, and closing marks of calls, of which the last may be cut off. */
const leftovers = /^[\s`}\]]*(?:[<[][\w:|｜/-]*>?[\s`}\]]*)*$/;
/** No honest leftovers are longer. */
const mostLeftovers = 200;

/** One call whose arguments were complete. */
export class BehindCall {
  readonly #written: string;
  /** How much of the arguments has come once more. */
  #repeated = 0;
  #left = "";
  #isTold = false;

  constructor(written: string) {
    this.#written = written;
  }

  /** Whether this is all of the arguments once more. */
  isRepetition = (text: string): boolean => text.trim() === this.#written;

  /** "more", told once: something left over from the call, or its arguments once more. "other": anything else. */
  take(text: string): "nothing" | "more" | "other" {
    const kind = this.#kindOf(text);
    if (kind !== "more") return kind;
    const isTold = this.#isTold;
    this.#isTold = true;
    return isTold ? "nothing" : "more";
  }

  #kindOf(text: string): "nothing" | "more" | "other" {
    const isBetween = this.#repeated % this.#written.length === 0;
    if (isBetween && text.trim() === "") return "nothing";
    const said = isBetween ? text.trimStart() : text;
    if (this.#left === "" && this.#repeats(said)) return "more";
    this.#left += text;
    return this.#repeated === 0 && this.#left.length <= mostLeftovers && leftovers.test(this.#left)
      ? "more"
      : "other";
  }

  #repeats(text: string): boolean {
    const rest = this.#written.length - (this.#repeated % this.#written.length);
    const isRepeated =
      this.#written.startsWith(text.slice(0, rest), this.#repeated % this.#written.length) &&
      text.slice(rest).trim() === "";
    if (isRepeated) this.#repeated += Math.min(text.length, rest);
    return isRepeated;
  }
}
