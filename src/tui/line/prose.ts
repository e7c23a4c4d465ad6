/** Where streaming text begins, may end for now, and goes on after other output. */

import type { Block } from "../../view/blocks.ts";
import { showable } from "../../view/visible.ts";

/** What a model writes for people. */
export type ProseBlock = Extract<Block, { type: "text" | "reasoning" }>;

/** A longer interrupted word is not repeated. */
const longestWord = 40;

/** Where to resume a line after other output: a word that was cut in two is repeated from its start. */
export function resumeAt(text: string, end: number): number {
  const isBlank = (at: number): boolean => /^\s?$/u.test(text[at] ?? "");
  if (isBreak(text[end - 1])) return end;
  if (isBreak(text[end])) return end + (text.startsWith("\r\n", end) ? 2 : 1); // the line was ended already
  let at = end;
  if (isBlank(end)) while (text[at] === " ") at += 1;
  else if (!isBlank(end - 1)) while (at > 0 && !isBlank(at - 1)) at -= 1;
  return end - at > longestWord ? end : at;
}

/** Skips line ends at the start of a text: the printer itself separates blocks. */
export function breaksBefore(text: string): number {
  let start = 0;
  while (isBreak(text[start])) start += 1;
  return start;
}

/** Holds back line ends at the end of a text, and half a character, until more follows. */
export function printableEnd({ text, open }: { text: string; open: boolean }): number {
  let end = open ? showable(text) : text.length;
  while (isBreak(text[end - 1])) end -= 1;
  return end;
}

const isBreak = (character: string | undefined): boolean => character === "\n" || character === "\r";
