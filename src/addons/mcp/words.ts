/** Words that a server says of itself, as a model and a person may see them: nothing hidden, nothing without end. */

import { stripAnsi } from "../../base/terminal/plain-text.ts";

/** Without escapes, control and invisible characters, which could hide what is said from whoever reads it. */
export function plainWords(words: string, most: number): string {
  const early = words.slice(0, most * 2); // what comes behind is cut anyway
  const plain = stripAnsi(early.replaceAll(/\r\n?/gu, "\n"))
    .replaceAll(controls, "")
    .replaceAll(hidden, (found) => `<U+${codeOf(found)}>`)
    .toWellFormed()
    .trim();
  const isCut = plain.length > most || words.length > early.length;
  return isCut ? `${plain.slice(0, most).toWellFormed().trimEnd()} …` : plain;
}

/** The same on one line. */
export const plainLine = (words: string, most: number): string =>
  plainWords(words.replaceAll(/\s+/gu, " "), most).replaceAll(/\s+/gu, " ");

const controls = /(?![\t\n])\p{Cc}/gu;
/**
 * Whatever is not seen: bidirectional marks, zero-width characters, tags, fillers. What joins letters and emoji, and
 * how these look, is left.
 */
const hidden = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{DI}\u200e\u200f\u2028-\u202e\ufff9-\ufffb]/gu;

const codeOf = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
