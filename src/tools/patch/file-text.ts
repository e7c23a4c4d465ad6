/** A file's text as lines with their endings, so that whatever no hunk touches stays unchanged, to the byte. */

import type { LineEnding } from "./patch.ts";

export type FileLine = { text: string; ending: LineEnding };

export type FileText = {
  bom: boolean;
  lines: readonly FileLine[];
  /** The lines without endings. */
  texts: readonly string[];
};

export function fileText(text: string, bom: boolean): FileText {
  const pieces = text.split("\n");
  const last = pieces.pop() ?? "";
  const lines: FileLine[] = pieces.map((piece) => splitEnding(piece, "\n"));
  // Diff programs treat a lone byte order mark as a line.
  if (last !== "" || (bom && lines.length === 0)) lines.push(splitEnding(last, ""));
  return { bom, lines, texts: lines.map((line) => line.text) };
}

function splitEnding(piece: string, feed: "\n" | ""): FileLine {
  if (!piece.endsWith("\r")) return { text: piece, ending: feed };
  return { text: piece.slice(0, -1), ending: feed === "" ? "\r" : "\r\n" };
}

export const textOf = (lines: readonly FileLine[]): string =>
  lines.map(({ text, ending }) => text + ending).join("");

export const isUnfinished = (line: FileLine | undefined): boolean =>
  line?.ending === "" || line?.ending === "\r";

/** The ending for a new line: that of the line it replaces, or the nearest above or below. */
export function endingNear(lines: readonly FileLine[], at: number): LineEnding {
  const near = [lines[at], lines[at - 1], lines[at + 1]];
  const known = near.find((line) => line && !isUnfinished(line)) ?? lines.find((line) => !isUnfinished(line));
  return known?.ending ?? "\n";
}
