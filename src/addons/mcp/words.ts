/** Cleans text from a server for models and people: nothing hidden, bounded length. */

import { stripAnsi } from "../../base/terminal/plain-text.ts";

/** Removes escapes, control characters and invisible characters, which could hide text from a reader. */
export function plainWords(words: string, most: number): string {
  const early = words.slice(0, most * 2); // the rest is cut off anyway
  const plain = isPlain.test(early) ? early.trim() : withoutHidden(early);
  const isCut = plain.length > most || words.length > early.length;
  return isCut ? `${plain.slice(0, most).toWellFormed().trimEnd()} …` : plain;
}

const isPlain = /^[\n -~]*$/;

const withoutHidden = (words: string): string =>
  stripAnsi(words.replaceAll(/\r\n?/gu, "\n"))
    .replaceAll(controls, "")
    .replaceAll(hidden, (found) => `<U+${codeOf(found)}>`)
    .toWellFormed()
    .trim();

/** The same, on one line. */
export const plainLine = (words: string, most: number): string =>
  plainWords(words.replaceAll(/\s+/gu, " "), most).replaceAll(/\s+/gu, " ");

const controls = /(?![\t\n])\p{Cc}/gu;
/**
 * Invisible characters: bidirectional marks, zero-width characters, tags, fillers. Joiners and variation selectors
 * stay, since letters and emoji need them.
 */
const hidden = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{DI}\u200e\u200f\u2028-\u202e\ufff9-\ufffb]/gu;

const codeOf = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
