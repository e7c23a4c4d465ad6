/** Watches text where closing tags do not count by themselves, for one left over from an earlier value (N19). */

import { type Marks, marksOf } from "./reader.ts";

/**
 * Receives thoughts, quoted text, and what follows the end of a message, piece by piece. Such text may show whole
 * calls, so only a closing tag without an opening one was left over.
 */
export type LeftoverWatch = (piece: string) => void;

export function leftoverWatch(closers: readonly string[], doubt: () => void): LeftoverWatch {
  const { marks, isCloser } = watchedMarks(closers);
  // "<" may still become "</".
  const mayGrow = (end: string): boolean =>
    marks.all.some((mark) => mark.length > end.length && mark.startsWith(end));
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

type WatchedMarks = { marks: Marks; isCloser: ReadonlySet<string> };

/** Per list of closing tags, which the answers of a model share: preparing the search takes longer than a short answer. */
const prepared = new WeakMap<readonly string[], WatchedMarks>();

function watchedMarks(closers: readonly string[]): WatchedMarks {
  const before = prepared.get(closers);
  if (before) return before;
  const openers = closers.map(openerOf).filter((opener) => opener !== undefined);
  const longestFirst = [...new Set([...closers, ...openers])].toSorted(
    (one, other) => other.length - one.length,
  );
  const watched = { marks: marksOf(longestFirst), isCloser: new Set(closers) };
  prepared.set(closers, watched);
  return watched;
}

/** The beginning of the opening tag for a closing tag. */
function openerOf(closer: string): string | undefined {
  const opener = closer.replace("</", "<").replace("<|close|>", "<|open|>");
  return opener === closer ? undefined : opener.replace(/(?:>|<\|sep\|>)$/, "");
}
