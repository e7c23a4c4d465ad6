/** Turns a matched passage into splices of the text; bytes that the edit does not name stay unchanged. */

import type { EditHunk } from "./hunks.ts";
import { correctLine, mergedLine, type CopyErrors, findCopyErrors } from "./merge-line.ts";
import { likeness } from "./nearest.ts";
import { endingNear, endingOf, type TextLines } from "./text-lines.ts";

/** A passage line in the file: its line (from 0), and the range of text it covers. */
export type PassagePiece = { line: number; from: number; to: number };

/** A matched passage: where each line of `old` is. `old` and `fresh` use the file's indentation. */
export type Match = {
  pieces: readonly (PassagePiece | undefined)[];
  old: readonly string[];
  fresh: readonly string[];
};

export type TextSplice = { from: number; to: number; text: string };

/** The splices of a match's hunks; undefined if a line that one of them needs is missing. */
export function splicesOf(
  file: TextLines,
  match: Match,
  hunks: readonly EditHunk[],
): TextSplice[] | undefined {
  const wrong = findCopyErrors(
    match.pieces.flatMap((piece, at) =>
      piece === undefined
        ? []
        : [{ stands: file.text.slice(piece.from, piece.to), old: match.old[at] ?? "" }],
    ),
  );
  const splices = hunks.map((hunk) => spliceOf(file, match, { ...hunk, wrong }));
  const made = splices.filter((splice) => splice !== undefined);
  return made.length === splices.length ? made : undefined;
}

type HunkChange = EditHunk & { wrong: CopyErrors };

function spliceOf(file: TextLines, match: Match, hunk: HunkChange): TextSplice | undefined {
  if (hunk.from === hunk.to) return insertion(file, match, hunk);
  const [first, last] = [match.pieces[hunk.from], match.pieces[hunk.to - 1]];
  if (first === undefined || last === undefined) return undefined;
  return hunk.lines.length === 0
    ? deletion(file, match, { hunk, first, last })
    : { from: first.from, to: last.to, text: replacement(file, match, hunk) };
}

export function applySplices(text: string, splices: readonly TextSplice[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to, text: fresh } of splices) {
    pieces.push(text.slice(done, from), fresh);
    done = to;
  }
  return pieces.join("") + text.slice(done);
}

function replacement(
  file: TextLines,
  { pieces, old }: Match,
  { from, to, lines, wrong }: HunkChange,
): string {
  const last = pieces[to - 1]?.line ?? 0;
  const partners = partnersOf(old.slice(from, to), lines);
  return lines
    .map((fresh, at) => {
      const partner = from + (partners[at] ?? old.length);
      const piece = pieces[partner];
      const stands = piece && file.text.slice(piece.from, piece.to);
      const line =
        stands === undefined
          ? correctLine(fresh, wrong)
          : mergedLine({ stands, old: old[partner] ?? "", fresh }, wrong);
      if (at === lines.length - 1) return line;
      return line + endingNear(file, from + at < to - 1 ? (pieces[from + at]?.line ?? last) : last);
    })
    .join("");
}

/** For each new line, the old one it derives from: pairwise if the counts are equal, else the next similar one. */
function partnersOf(old: readonly string[], fresh: readonly string[]): (number | undefined)[] {
  if (old.length === fresh.length) return fresh.map((_, at) => at);
  let next = 0;
  return fresh.map((line) => {
    const near = old
      .slice(next, next + mostApart)
      .findIndex((words) => likeness(words.trim(), line.trim()) >= leastLikeness);
    if (near === -1) return undefined;
    next += near + 1;
    return next - 1;
  });
}

const mostApart = 5;
const leastLikeness = 0.7;

type HunkDeletion = { hunk: EditHunk; first: PassagePiece; last: PassagePiece };

/** Whole lines are removed with their endings. A passage ending within a line loses the ending before it. */
function deletion(file: TextLines, { pieces }: Match, { hunk, first, last }: HunkDeletion): TextSplice {
  const start = first.from;
  const next = pieces[hunk.to];
  if (next !== undefined && next.line === last.line + 1) return { from: start, to: next.from, text: "" };
  const isWhole = last.to === endOf(file, last.line) && start === file.from[first.line];
  const after = file.from[last.line + 1];
  if (isWhole && after !== undefined) return { from: start, to: after, text: "" };
  return { from: pieces[hunk.from - 1]?.to ?? start, to: last.to, text: "" };
}

function endOf({ from, words }: TextLines, line: number): number {
  return (from[line] ?? 0) + (words[line]?.length ?? 0);
}

function insertion(
  file: TextLines,
  { pieces }: Match,
  { from: at, lines, wrong }: HunkChange,
): TextSplice | undefined {
  const next = pieces[at];
  if (next !== undefined) {
    const ending = endingOf(file, next.line - 1) ?? endingNear(file, next.line);
    return {
      from: next.from,
      to: next.from,
      text: lines.map((line) => correctLine(line, wrong) + ending).join(""),
    };
  }
  const before = at === pieces.length ? pieces[at - 1] : undefined;
  if (before === undefined) return undefined;
  const ending = endingNear(file, before.line);
  return {
    from: before.to,
    to: before.to,
    text: lines.map((line) => ending + correctLine(line, wrong)).join(""),
  };
}
