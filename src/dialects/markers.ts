/** The marks that a model takes for the structure of a conversation: text from outside must not contain them. */

import type { Dialect } from "./dialect.ts";

/** A zero-width space breaks the marks of a dialect without changing a letter. */
export const defuse = (text: string, dialect: Dialect): string =>
  markersOf(dialect).reduce(
    (safe, marker) => safe.replaceAll(marker, `${marker.slice(0, 1)}\u200B${marker.slice(1)}`),
    text,
  );

const found = new WeakMap<Dialect, readonly string[]>();

/** What the dialect writes around names and values, its turns, results and thoughts, and what it says itself. */
export function markersOf(dialect: Dialect): readonly string[] {
  const before = found.get(dialect);
  if (before) return before;
  const { turns = [], results = [], thoughts = [], markers = [] } = dialect;
  const written = [
    dialect.writeCalls([sampleCall]),
    dialect.writeResults([sampleResult]),
    ...thoughts.flatMap(({ open, close }) => [open, close]),
  ].flatMap(marksIn);
  const closing = results
    .filter((result) => /^<[\w:]+>?$/.test(result))
    .map((result) => `</${result.slice(1)}`);
  const own = written.filter((one) => !one.includes(sample));
  const all = [...new Set([...own, ...turns, ...results, ...closing, ...markers])];
  found.set(dialect, all);
  return all;
}

/** The mark of a result as the dialect writes it; undefined if that has none. */
export function resultMark({ writeResults }: Pick<Dialect, "writeResults">): string | undefined {
  const [first] = marksIn(writeResults([sampleResult]));
  return first === undefined || /[>\]]$/.test(first) ? first : `${first}>`;
}

const sample = "sample";
const sampleCall = { id: sample, name: sample, input: { [sample]: sample } };
const sampleResult = { id: sample, name: sample, content: [], isError: false };

const marksIn = (text: string): string[] => Array.from(text.matchAll(mark), ([one]) => one);

/** A closing tag, a tag or special token up to its first attribute, or a word in brackets. */
const mark = /<\/[^\s<>=]+|<[^\s<>=]+[=>]?|\[\/?[A-Z][A-Z_ ]+\]/g;
