/** Watches text where closing tags do not count by themselves, for one left over from an earlier value (N19). */

import { marksOf } from "./reader.ts";

/**
 * Receives thoughts, quoted text, and what follows the end of a message, piece by piece. Such text may show whole
 * calls, so only a closing tag without an opening one was left over.
 */
export type LeftoverWatch = (piece: string) => void;

export function leftoverWatch(closers: readonly string[], doubt: () => void): LeftoverWatch {
  const openers = closers.map(openerOf).filter((opener) => opener !== undefined);
  const longestFirst = [...new Set([...closers, ...openers])].toSorted(
    (one, other) => other.length - one.length,
  );
  const marks = marksOf(longestFirst);
  const isCloser = new Set(closers);
  // "<" may still become "</".
  const mayGrow = (end: string): boolean =>
    longestFirst.some((mark) => mark.length > end.length && mark.startsWith(end));
  let tail = "";
  let open = 0;
  return (piece) => {
    const text = tail + piece;
    let from = 0;
    marks.pattern.lastIndex = 0;
    for (let found = marks.pattern.exec(text); found; found = marks.pattern.exec(text)) {
      if (mayGrow(text.slice(found.index, found.index + marks.longest))) {
        tail = text.slice(found.index);
        return;
      }
      from = marks.pattern.lastIndex;
      if (!isCloser.has(found[0])) open += 1;
      else if (open > 0) open -= 1;
      else doubt();
    }
    tail = text.slice(Math.max(from, text.length - marks.longest + 1));
  };
}

/** The beginning of the opening tag for a closing tag. */
function openerOf(closer: string): string | undefined {
  const opener = closer.replace("</", "<").replace("<|close|>", "<|open|>");
  return opener === closer ? undefined : opener.replace(/(?:>|<\|sep\|>)$/, "");
}
