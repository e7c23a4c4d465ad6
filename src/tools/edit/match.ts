/** Finds an edit's passage in a text, on one rung of the ladder of tolerance. */

import { frameOf } from "./frame.ts";
import { hunksOf, keptLines } from "./hunks.ts";
import { indentOf, noShift, shiftBetween } from "./indentation.ts";
import type { Tolerance } from "./ladder.ts";
import { placeBefore, withoutLookAlikes } from "./look-alikes.ts";
import { isTelling, nearPlaces } from "./nearest.ts";
import { comparedLines, findLines, type PassageSearch, nearestPassage, occurrences } from "./passage.ts";
import type { Match, PassagePiece } from "./splices.ts";
import { lineOf, type TextLines } from "./text-lines.ts";

/** An edit's texts as lines, with "\n" only; unless `whole`, the first and last may be partial lines. */
export type EditLines = { old: readonly string[]; fresh: readonly string[]; whole?: boolean };

/**
 * The matches: `lines` (from 0) of all places, and `matches` without those overlapping an earlier one. Or the problem:
 * the replacement does not fit a match.
 */
export type PassageMatches =
  | { lines: readonly number[]; matches: () => readonly Match[] | { problem: string } }
  | { problem: string };

/** Exactly, anywhere in the text. */
export function matchExact(file: TextLines, asked: EditLines): PassageMatches | undefined {
  const view = {
    words: file.words,
    old: asked.old,
    isAtEnd: false,
    place: (_: number, column: number) => column,
  };
  const found = matchText(file, asked, view);
  if (found === undefined || !("lines" in found)) return found;
  const problems = found.lines.map((line) => unclearEdge(file, asked, line));
  const problem = problems.find((one) => one !== undefined);
  return problem === undefined ? found : { problem };
}

/** Detects a surely unintended effect on the lines around the passage. */
function unclearEdge(file: TextLines, asked: EditLines, line: number): string | undefined {
  if (losesIndentation(file, asked, line)) return unclearStart;
  const { old, fresh } = asked;
  const isLine = old.at(-1) === "" && old.some(isTelling);
  if (!isLine) return undefined;
  const isDeletion = fresh.every((line) => line === "");
  const stands = file.words[line] ?? "";
  const indent = indentOf(stands);
  if (isDeletion)
    return indent !== "" && stands.slice(indent.length) === old[0] ? unclearDeletion : undefined;
  const next = file.words[line + old.length - 1] ?? "";
  return next.trim() !== "" && /\S$/.test(fresh.at(-1) ?? "") ? unclearEnd : undefined;
}

/**
 * An indented line, without its indentation, is replaced by several lines that are indented as if it had none. From the
 * second on they would leave the block (which is intended only if they close it, or follow an empty line), or would not
 * be inside the block that the line before them opens.
 */
function losesIndentation({ words }: TextLines, { old, fresh }: EditLines, line: number): boolean {
  const stands = words[line] ?? "";
  const indent = indentOf(stands);
  const isOne = old.length === 1 || (old.length === 2 && old[1] === "");
  if (!isOne || indent === "" || stands.slice(indent.length) !== old[0]) return false;
  return fresh.some((line, at) => {
    const before = fresh[at - 1] ?? "";
    if (before.trim() === "" || line.trim() === "") return false;
    if (line === old[0]) return true;
    if (/^\s*[)\]}>]/.test(line) || closing.test(line)) return false;
    const above = at === 1 ? indent : indentOf(before);
    return indentOf(line) === "" || (opens.test(before) && indentOf(line).length <= above.length);
  });
}

/** Line ends that open a block. */
const opens = /[:{([]\s*$/;

/** Words that end a block or begin its next part. */
const closing =
  /^(?:else|elif|elsif|except|rescue|ensure|catch|finally|case|default|when|end|fi|done|esac|#)\b/i;

const unclearStart =
  "`old` is a whole line without its indentation, and more lines of `new` are indented as if it had none: write both with the whole indentation of every line";

const unclearDeletion =
  "`old` is whole lines without the indentation of the first one, which would be left over: copy it with its whole indentation";

const unclearEnd =
  "`old` ends with a line break and `new` does not, so that the line after it would be joined to the end of `new`: end both alike";

/** Ignores white space at line ends, then also empty lines around the passage. */
export function matchTrailing(file: TextLines, asked: EditLines): PassageMatches | undefined {
  const old = asked.old.map((line) => line.trimEnd());
  const isAtEnd = old.at(-1) !== asked.old.at(-1);
  const words = comparedLines("trailing-space", file.words);
  const found = matchText(file, asked, { words, old, isAtEnd, place: (_, column) => column });
  return found ?? matchLines(file, asked, "trailing-space");
}

/** Allows a uniform shift of all lines, or of all but the first, if that was copied without its indentation. */
export function matchIndented(file: TextLines, asked: EditLines): PassageMatches | undefined {
  return matchLines(file, asked, "indentation") ?? matchHanging(file, withoutEmptyEdges(asked));
}

export function matchLookAlikes(file: TextLines, asked: EditLines): PassageMatches | undefined {
  if (!asked.old.some(isTelling)) return undefined;
  const old = asked.old.map((line) => withoutLookAlikes(line).trimEnd());
  const isAtEnd = old.at(-1) !== withoutLookAlikes(asked.old.at(-1) ?? "");
  const place = (line: number, column: number) => placeBefore(file.words[line] ?? "", column);
  const found = matchText(file, asked, { words: comparedLines("plain", file.words), old, isAtEnd, place });
  return found ?? matchLines(file, asked, "look-alikes");
}

/** Allows differences in some lines around the change; removed lines must be exact. */
export function matchNearest(file: TextLines, asked: EditLines): PassageMatches | undefined {
  return withEdges(asked, (all) => {
    const hunks = hunksOf(all.old, all.fresh);
    const kept = keptLines(all.old, hunks);
    const inserts = hunks.flatMap(({ from, to }) => (from === to ? [from] : []));
    const found = nearestPassage({ file: file.words, passage: all.old, options: { kept, inserts } });
    return found.found === "once" ? matchFound(file, all, found) : undefined;
  });
}

/** Tries with the passage's surrounding empty lines first, then without. */
function withEdges(
  asked: EditLines,
  match: (asked: EditLines) => PassageMatches | undefined,
): PassageMatches | undefined {
  const bare = withoutEmptyEdges(asked);
  if (bare.old.length === 0) return undefined;
  return (bare.old.length < asked.old.length ? match(asked) : undefined) ?? match(bare);
}

/** Strips empty lines at the passage's start and end, and as many from the replacement. */
export function withoutEmptyEdges(asked: EditLines): EditLines {
  const { old, fresh } = asked;
  const [start, end] = [emptyLines(old), emptyLines(old.toReversed())];
  if (start === old.length) return { ...asked, old: [] };
  const [first, last] = [Math.min(start, emptyLines(fresh)), Math.min(end, emptyLines(fresh.toReversed()))];
  return {
    ...asked,
    old: old.slice(start, old.length - end),
    fresh: fresh.slice(first, Math.max(first, fresh.length - last)),
  };
}

function emptyLines(lines: readonly string[]): number {
  const first = lines.findIndex((line) => line.trim() !== "");
  return first === -1 ? lines.length : first;
}

/** `words`: the file's lines in the compared form; `place` maps a column back to the original line. */
type ComparedLines = {
  words: readonly string[];
  old: readonly string[];
  /** The passage must end at a line end. */
  isAtEnd: boolean;
  place: (line: number, column: number) => number | undefined;
};

function matchText(file: TextLines, asked: EditLines, view: ComparedLines): PassageMatches | undefined {
  const [text, old] = [view.words.join("\n"), view.old.join("\n")];
  if (old === "" || !text.includes(old)) return undefined;
  const from = startsOf(view.words);
  const lines: number[] = [];
  const apart: MatchSpan[] = [];
  let free = 0;
  const most = Math.min(mostOverlaps, mostCharacters / old.length);
  const next = (at: number): number => (lines.length < most ? at + 1 : Math.max(at + 1, free));
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, next(at))) {
    const end = at + old.length;
    if (view.isAtEnd && end < text.length && text[end] !== "\n") continue;
    const line = lineOf(from, at);
    const place = spanAt(view, line, at - (from[line] ?? 0));
    if (place === undefined || isWithinIndentation(file.words[line] ?? "", asked, place)) continue;
    if (asked.whole === true && isWithinLines(file, asked, place)) continue;
    lines.push(line);
    if (at < free) continue;
    apart.push(place);
    free = end;
  }
  const matches = (): Match[] =>
    apart.map((place) => ({ ...asked, pieces: piecesOf(file, place, asked.old.length) }));
  return lines.length === 0 ? undefined : { lines, matches };
}

/** From a column of the first line to a column of the last. */
type MatchSpan = { line: number; first: number; end: number };

function spanAt(view: ComparedLines, line: number, column: number): MatchSpan | undefined {
  const length = view.old.at(-1)?.length ?? 0;
  const count = view.old.length;
  const first = view.place(line, column);
  const end = view.place(line + count - 1, count === 1 ? column + length : length);
  return first === undefined || end === undefined ? undefined : { line, first, end };
}

/**
 * The line begins with more white space than the passage, so the passage is indented less than the file. That matters
 * if the following lines, or the white space itself, change.
 */
function isWithinIndentation(words: string, { old, fresh }: EditLines, { first }: MatchSpan): boolean {
  if (first === 0 || indentOf(old[0] ?? "") === "" || words.slice(0, first).trim() !== "") return false;
  const isOneLine = old.length === 1 && fresh.length === 1;
  return !isOneLine || indentOf(old[0] ?? "") !== indentOf(fresh[0] ?? "");
}

/** Whether the passage covers only part of its first or last line. */
function isWithinLines({ words }: TextLines, { old }: EditLines, { line, first, end }: MatchSpan): boolean {
  const [start, last] = [words[line] ?? "", words[line + old.length - 1] ?? ""];
  return start.slice(0, first).trim() !== "" || last.slice(end).trim() !== "";
}

/** Above this many places or characters, overlapping places are not counted. */
const mostOverlaps = 10_000;
const mostCharacters = 20_000_000;

function startsOf(words: readonly string[]): number[] {
  let start = 0;
  return words.map((line) => {
    const from = start;
    start += line.length + 1;
    return from;
  });
}

function piecesOf(file: TextLines, { line, first, end }: MatchSpan, count: number): PassagePiece[] {
  return Array.from({ length: count }, (_, at) => {
    const whole = wholeLine(file, line + at);
    const from = at === 0 ? whole.from + first : whole.from;
    return { line: line + at, from, to: at === count - 1 ? (file.from[line + at] ?? 0) + end : whole.to };
  });
}

function matchLines(
  file: TextLines,
  asked: EditLines,
  tolerance: "trailing-space" | "indentation" | "look-alikes",
): PassageMatches | undefined {
  return withEdges(asked, (all) => {
    const found = findLines(tolerance, { file: file.words, passage: all.old, options: {} });
    if (found?.found === "once") {
      const rival = tolerance === "trailing-space" ? undefined : rivalOf(file, all, found.line);
      return rival === undefined
        ? matchFound(file, all, found)
        : { problem: unclearPlace(found.line, rival) };
    }
    if (found?.found !== "often") return undefined;
    return { lines: found.lines, matches: () => eachMatch(file, all, found) };
  });
}

/** Treats each place as if it were the only one, skipping those whose indentation differs from the passage. */
function eachMatch(
  file: TextLines,
  asked: EditLines,
  { lines, tolerance }: { lines: readonly number[]; tolerance: Tolerance },
): Match[] | { problem: string } {
  const depths = new Set(asked.old.map(indentOf));
  const isNew = asked.fresh.some((line) => line.trim() !== "" && !depths.has(indentOf(line)));
  if (isNew && tolerance !== "trailing-space") return { problem: unclearShift };
  const matches: Match[] = [];
  let free = 0;
  for (const line of lines) {
    if (line < free) continue;
    free = line + asked.old.length;
    const region = file.words.slice(line, free);
    const shift = tolerance === "trailing-space" ? noShift : shiftBetween(asked.old, region, file.words);
    const places = asked.old.map((_, at) => line + at);
    const matched = shift && matchShifted(file, asked, { places, shift });
    if (matched === undefined) return { problem: unclearShift };
    matches.push(matched);
  }
  return matches;
}

/** A place where most of the passage matches exactly, while all of it exists elsewhere with another indentation. */
function rivalOf(file: TextLines, { old }: EditLines, line: number): number | undefined {
  const passage = old.map((words) => words.trimEnd());
  const { near } = nearPlaces(comparedLines("trailing-space", file.words), passage);
  const rival = near.find(({ places }) => !places.includes(line) && !places.includes(line + old.length - 1));
  if (rival === undefined || rival.there < 2 || rival.missing > Math.max(1, rival.there / 3))
    return undefined;
  return rival.places.find((place) => place !== undefined);
}

const unclearPlace = (line: number, rival: number): string =>
  `All of \`old\` stands from line ${line + 1} on but for its indentation or characters that look alike, most of it from line ${rival + 1} on just as it is: copy it exactly from the place that is meant`;

function matchFound(
  file: TextLines,
  asked: EditLines,
  found: Extract<PassageSearch, { found: "once" }>,
): PassageMatches {
  const match = matchShifted(file, asked, found);
  return match === undefined ? { problem: unclearShift } : { lines: [found.line], matches: () => [match] };
}

/** Both texts with the file's indentation; undefined if ambiguous. */
function matchShifted(
  file: TextLines,
  asked: EditLines,
  { places, shift }: Pick<Extract<PassageSearch, { found: "once" }>, "places" | "shift">,
): Match | undefined {
  const stands = places.map((line) => (line === undefined ? undefined : file.words[line]));
  const frame = shift === noShift ? "old" : frameOf({ ...asked, stands });
  const old = shift(asked.old);
  const fresh =
    frame === "file" ? asked.fresh : shift([...asked.old, ...asked.fresh])?.slice(asked.old.length);
  if (frame === "unclear" || old === undefined || fresh === undefined) return undefined;
  const pieces = places.map((line) => (line === undefined ? undefined : wholeLine(file, line)));
  return { pieces, old, fresh };
}

const unclearShift =
  "`old` is indented differently from the file, and a line of `new` is indented in a way that has no counterpart there: indent both texts as the file is";

function matchAt(file: TextLines, asked: EditLines, line: number): Match {
  return { ...asked, pieces: asked.old.map((_, at) => wholeLine(file, line + at)) };
}

function wholeLine({ from, words }: TextLines, line: number): PassagePiece {
  const start = from[line] ?? 0;
  return { line, from: start, to: start + (words[line]?.length ?? 0) };
}

/** The passage begins with the first character of an indented line, and continues with whole lines. */
function matchHanging(file: TextLines, asked: EditLines): PassageMatches | undefined {
  const [first = "", ...rest] = asked.old;
  const isHanging = indentOf(first) === "" && rest.some((line) => line.trim() !== "");
  if (!isHanging || !asked.old.some(isTelling)) return undefined;
  const wanted = asked.old.map((line) => line.trim());
  const lines = occurrences(comparedLines("indentation", file.words), wanted);
  const [line] = lines;
  if (line === undefined) return undefined;
  const matches = (): Match[] => lines.map((one) => matchAt(file, asked, one));
  if (lines.length > 1) return { lines, matches };
  const shift = shiftBetween(rest, file.words.slice(line + 1, line + asked.old.length), file.words);
  if (shift === undefined || (shift !== noShift && !rest.some((words) => /[\p{L}\p{N}]/u.test(words))))
    return undefined;
  const [start = "", ...others] = asked.fresh;
  const carried = shift([...rest, ...others]);
  if (carried === undefined || indentOf(start) !== "") return { problem: unclearShift };
  const indent = indentOf(file.words[line] ?? "");
  const old = [indent + first, ...carried.slice(0, rest.length)];
  const fresh = [start === "" ? start : indent + start, ...carried.slice(rest.length)];
  return { lines, matches: () => [{ ...matchAt(file, asked, line), old, fresh }] };
}
