/** Follows the brackets of JSON without parsing it. Each character is looked at once. */

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [34, 92, 123, 125, 91, 93];

/** The text may come in pieces. */
export class JsonBrackets {
  #level = 0;
  #isInString = false;
  /** The piece so far ended with a backslash that escapes what comes next. */
  #isEscaped = false;

  /** How many brackets are open. */
  get level(): number {
    return this.#level;
  }

  /** Takes a piece up to its next bracket that stands in no string; the position behind it, or undefined at the end. */
  next(piece: string, from: number): number | undefined {
    for (let at = this.#isInString ? this.#leaveString(piece, from) : from; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (code === quote) at = this.#leaveString(piece, at + 1) - 1;
      else if (code === openBrace || code === openBracket) {
        this.#level += 1;
        return at + 1;
      } else if (code === closeBrace || code === closeBracket) {
        this.#level -= 1;
        return at + 1;
      }
    }
    return undefined;
  }

  /** The position behind the string's end, or the end of the piece. */
  #leaveString(piece: string, from: number): number {
    let end = piece.indexOf('"', from);
    while (end !== -1 && this.#escapes(piece, from, end)) end = piece.indexOf('"', end + 1);
    this.#isInString = end === -1;
    this.#isEscaped = end === -1 && this.#escapes(piece, from, piece.length);
    return end === -1 ? piece.length : end + 1;
  }

  /** Whether the backslashes before a position escape what stands there. */
  #escapes(piece: string, from: number, at: number): boolean {
    let first = at;
    while (first > from && piece.charCodeAt(first - 1) === backslash) first -= 1;
    const isOdd = (at - first) % 2 === 1;
    return first === from && this.#isEscaped ? !isOdd : isOdd;
  }
}

/** The end and nesting depth of the JSON value whose bracket is at `start`; undefined if it does not end. */
export function jsonExtent(text: string, start: number): { end: number; depth: number } | undefined {
  const brackets = new JsonBrackets();
  let depth = 0;
  for (let at = brackets.next(text, start); at !== undefined; at = brackets.next(text, at)) {
    depth = Math.max(depth, brackets.level);
    if (brackets.level === 0) return { end: at, depth };
  }
  return undefined;
}

/** Checked before parsing, because millions of brackets would fill the memory. */
export function isTextDeeperThan(levels: number, text: string): boolean {
  const brackets = new JsonBrackets();
  for (let at = brackets.next(text, 0); at !== undefined; at = brackets.next(text, at))
    if (brackets.level > levels) return true;
  return false;
}
