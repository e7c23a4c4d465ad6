/** Watches text where closing tags do not count by themselves, for one left over from an earlier value (N19). */

import { type Marks, marksOf } from "./reader.ts";

/**
 * Receives thoughts, quoted text, and what follows the end of a message, piece by piece. Such text may show whole
 * calls, so only a closing tag without an opening one was left over.
 */
export type LeftoverWatch = (piece: string) => void;

/** What to look for, prepared once for all answers of a model. */
export type LeftoverMarks = {
  readonly marks: Marks;
  isCloser: (mark: string) => boolean;
  /** "<" may still become "</". */
  mayGrow: (end: string) => boolean;
};

export function leftoverMarks(closers: readonly string[]): LeftoverMarks {
  const openers = closers.map(openerOf).filter((opener) => opener !== undefined);
  const longestFirst = [...new Set([...closers, ...openers])].toSorted(
    (one, other) => other.length - one.length,
  );
  const all = new Set(closers);
  return {
    marks: marksOf(longestFirst),
    isCloser: (mark) => all.has(mark),
    mayGrow: (end) => longestFirst.some((mark) => mark.length > end.length && mark.startsWith(end)),
  };
}

export function leftoverWatch({ marks, isCloser, mayGrow }: LeftoverMarks, doubt: () => void): LeftoverWatch {
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
      if (!isCloser(found[0])) open += 1;
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
