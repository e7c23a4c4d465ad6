/** What a server says, as words that can be shown: in one line, of bounded length, without terminal escapes. */

import { bounds } from "../../base/bounds.ts";
import { plainOutput } from "../../base/terminal/plain-text.ts";

/** `most`: characters; what was longer ends with "…". */
export function saidWords(text: string, most: number = bounds.languages.words.most): string {
  const words = plainOutput(text.slice(0, most))
    .trim()
    .replaceAll(/\s*\n\s*/g, "; ");
  return text.length > most ? `${words}…` : words;
}
