/** Applies a file's hunks: all are located in the original text, and must not overlap. */

import { type Expected, refuse } from "../../base/expected.ts";
import type { Tolerance } from "../edit/ladder.ts";
import { type FileText, textOf, endingNear, type FileLine, isUnfinished } from "./file-text.ts";
import { type LineEdit, editsOf, type AddedLine } from "./hunk-edits.ts";
import { lineIndex } from "./line-index.ts";
import { locate } from "./locate.ts";
import { type PatchHunk, oldLines } from "./patch.ts";

/** `tolerances`: how hunks differed from the file and were still applied, by hunk number from 1. */
export type PatchedText = {
  text: string;
  bom: boolean;
  tolerances: { hunk: number; line: number; tolerance: Tolerance }[];
};

/** The problem begins with the hunk concerned. */
export function applyHunks(file: FileText, hunks: readonly PatchHunk[]): Expected<PatchedText> {
  const index = lineIndex(file.texts);
  const progress = { behind: 0, grown: 0 };
  const edits: LineEdit[] = [];
  const tolerances: PatchedText["tolerances"] = [];
  let speaksOfMark = false;
  for (const [at, hunk] of hunks.entries()) {
    const refused = (problem: string): Expected<never> =>
      refuse(`hunk ${at + 1} (line ${hunk.at} of the patch): ${problem}`);
    const place = locate(index, hunk, progress);
    if (!place.ok) {
      if (changesNothing(hunk) && hunks.length > 1) continue;
      return refused(place.problem);
    }
    const made = editsOf(file, { hunk, number: at + 1 }, place.value);
    if (!made.ok) return refused(made.problem);
    for (const edit of made.value) {
      edits.push(edit);
      progress.behind = Math.max(progress.behind, edit.line + edit.removed);
      progress.grown += edit.added.length - edit.removed;
    }
    const { tolerance, line } = place.value;
    speaksOfMark ||= line === 0 && oldLines(hunk)[0]?.text.startsWith("\uFEFF") === true;
    if (tolerance !== "exact") tolerances.push({ hunk: at + 1, line: line + 1, tolerance });
  }
  const sorted = edits.toSorted((a, b) => a.line - b.line || a.removed - b.removed);
  const clash = clashOf(sorted);
  if (clash !== undefined) return refuse(clash);
  const { lines, bom } = rewritten(file, sorted, speaksOfMark);
  return { ok: true, value: { text: textOf(lines), bom, tolerances } };
}

/** A hunk of context only, which some models write to lead to the next one. */
const changesNothing = ({ lines }: PatchHunk): boolean => lines.every(({ kind }) => kind === "context");

function clashOf(sorted: readonly LineEdit[]): string | undefined {
  for (const [at, edit] of sorted.entries()) {
    const next = sorted[at + 1];
    if (!next) return undefined;
    const isSamePlace = next.line === edit.line && next.removed === 0 && edit.removed === 0;
    if (isSamePlace || next.line < edit.line + edit.removed)
      return `hunks ${edit.hunk} and ${next.hunk} change the same place (line ${next.line + 1} of the file); join them into one hunk`;
  }
  return undefined;
}

/** The edits must be ordered and must not overlap. `speaksOfMark`: one of them states where the byte order mark is. */
function rewritten(
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
