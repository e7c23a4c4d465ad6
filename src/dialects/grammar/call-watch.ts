/** Tracks calls written as program text while they stream: whether a string is open, and how many brackets. */

export type CallWatch = { readonly inText: boolean; readonly depth: number; take(piece: string): void };

/** `delimiter`: a token around texts in which nothing is escaped, beside quotation marks. */
export function callWatch(delimiter = ""): CallWatch {
  /** The closer of the open string; empty outside strings. */
  let closer = "";
  let escaped = false;
  /** How much of the closer (or outside strings, of the delimiter) has been seen. */
  let matched = 0;
  /** A string was opened and closed at once: a third mark makes it a long one. */
  let wasEmpty = "";
  let isNew = false;
  let depth = 0;
  /** The last non-blank characters. */
  let tail = "";

  const matches = (mark: string, wanted: string): boolean => {
    matched = mark === wanted[matched] ? matched + 1 : mark === wanted[0] ? 1 : 0;
    if (matched < wanted.length) return false;
    matched = 0;
    return true;
  };
  const close = (mark: string): void => {
    wasEmpty = isNew && closer.length === 1 ? mark : "";
    tail = '"';
    closer = "";
  };
  const inside = (mark: string): void => {
    if (escaped) escaped = false;
    else if (mark === "\\" && closer !== delimiter) escaped = true;
    else if (matches(mark, closer)) return close(mark);
    isNew = false;
  };
  const open = (wanted: string): void => {
    closer = wanted;
    isNew = true;
    wasEmpty = "";
    matched = 0;
  };
  const outside = (mark: string): void => {
    if (delimiter !== "" && matches(mark, delimiter)) return open(delimiter);
    if (mark !== "" && mark === wasEmpty) return open(mark.repeat(3));
    wasEmpty = "";
    if (mark === '"' || mark === "'") {
      if (/(?:^|[=:,([{"])[rbuf]{0,2}$/i.test(tail)) return open(mark);
    } else if ("([{".includes(mark)) depth += 1;
    else if (")]}".includes(mark)) depth = Math.max(0, depth - 1);
    if (!/\s/.test(mark)) tail = (tail + mark).slice(-3);
  };
  return {
    get inText() {
      return closer !== "";
    },
    get depth() {
      return depth;
    },
    take(piece) {
      for (let at = 0; at < piece.length; at += 1) (closer === "" ? outside : inside)(piece.charAt(at));
    },
  };
}
