/** Cleans text from a server for display: one line, bounded length, no terminal escapes. */

import { plainOutput } from "../../base/terminal/plain-text.ts";

/** The text of a problem, in characters. */
const mostWords = 600;

/** `most`: in characters; longer text ends with "…". */
export function saidWords(text: string, most: number = mostWords): string {
  const words = plainOutput(text.slice(0, most))
    .trim()
    .replaceAll(/\s*\n\s*/g, "; ");
  return text.length > most ? `${words}…` : words;
}
