/** A text as lines, as an editor counts them, and back. */

import { plainLine } from "./hunk.ts";

/** `isOpen`: the last line has no line end. An empty text has no lines. */
export type PresentText = { lines: readonly string[]; lineEnd: string; isOpen: boolean };

/** `undefined`: there is no file. */
export function presentText(text: string | undefined): PresentText {
  if (text === undefined || text === "") return { lines: [], lineEnd: "\n", isOpen: false };
  const lines = text.split("\n").map(plainLine);
  const isOpen = lines.at(-1) !== "";
  return {
    lines: isOpen ? lines : lines.slice(0, -1),
    lineEnd: text.includes("\r\n") ? "\r\n" : "\n",
    isOpen,
  };
}

export function writtenText({ lines, lineEnd, isOpen }: PresentText): string {
  if (lines.length === 0) return "";
  return lines.join(lineEnd) + (isOpen ? "" : lineEnd);
}
