/** Applies edits to a file's lines, preserving line endings, the final line feed and the byte order mark. */

import { endingNear, type FileLine, type FileText, isUnfinished } from "./file-text.ts";
import type { AddedLine, LineEdit } from "./hunk-edits.ts";

/** The edits must be ordered and must not overlap. `speaksOfMark`: one of them states where the byte order mark is. */
export function rewritten(
  file: FileText,
  edits: readonly LineEdit[],
  speaksOfMark: boolean,
): { lines: FileLine[]; bom: boolean } {
  const lines = file.bom && speaksOfMark ? withMark(file.lines) : file.lines;
  const made: (FileLine | AddedLine)[] = [];
  let done = 0;
  for (const { line, removed, added } of edits) {
    for (const one of lines.slice(done, line)) made.push(one);
    for (const one of added) made.push(one);
    done = line + removed;
  }
  for (const one of lines.slice(done)) made.push(one);
  const finished = made.map((line, at) => finish(line, { at, count: made.length, lines }));
  if (speaksOfMark) return { lines: file.bom ? finished : withoutMark(finished), bom: false };
  return { lines: file.bom ? withoutMark(finished) : finished, bom: file.bom };
}

type LineContext = { at: number; count: number; lines: readonly FileLine[] };

/** Only the last line may lack its line feed; a new last line lacks it if the file's did. */
function finish(line: FileLine | AddedLine, { at, count, lines }: LineContext): FileLine {
  const { text, ending } = line;
  const isLast = at === count - 1;
  if (!isLast && isUnfinished(line))
    return { text, ending: ending === "\r" ? "\r\n" : endingNear(lines, lines.length - 1) };
  const isNew = "exact" in line;
  if (isLast && isNew && !line.exact && isUnfinished(lines.at(-1))) return { text, ending: "" };
  return { text, ending };
}

const withMark = ([first, ...others]: readonly FileLine[]): FileLine[] =>
  first ? [{ ...first, text: `\uFEFF${first.text}` }, ...others] : [];

const withoutMark = ([first, ...others]: readonly FileLine[]): FileLine[] =>
  first ? [{ ...first, text: first.text.replace(/^\uFEFF/, "") }, ...others] : [];
