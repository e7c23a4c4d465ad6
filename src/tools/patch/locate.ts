/** Locates a hunk in its file by content, headers, order and line numbers, never guessing between two places. */

import { cutLine } from "../../base/cut-text.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { noShift, type Shift } from "../edit/indentation.ts";
import type { Tolerance } from "../edit/ladder.ts";
import { nearestWords } from "../edit/nearest-words.ts";
import { isTelling } from "../edit/nearest.ts";
import { findPassage, type PassageSearch } from "../edit/passage.ts";
import { exactPlaces, fitsAt, type LineIndex } from "./line-index.ts";
import { type PatchHunk, newLines, oldLines } from "./patch.ts";
import { scopeOf } from "./scope.ts";

/** Lines are counted from 0. `places`: where each old line of the hunk is, if found. */
export type HunkPlace = {
  line: number;
  places: readonly (number | undefined)[];
  tolerance: Tolerance;
  shift: Shift;
};

/** `behind`: the first line after earlier hunks' changes. `grown`: by how many lines these lengthen the file. */
type HunkProgress = { behind: number; grown: number };

/** The problem is words to follow the hunk's name. */
export function locate(index: LineIndex, hunk: PatchHunk, progress: HunkProgress): Expected<HunkPlace> {
  const passage = oldLines(hunk).map(({ text }, at) => (at === 0 ? text.replace(/^\uFEFF/, "") : text));
  if (passage.length === 0) return placeToInsert(index, hunk);
  const search = { index, hunk, passage, progress };
  const direct = directPlace(search);
  if (direct !== undefined) return { ok: true, value: exactly(search, direct) };
  const exact = exactPlaces(index, passage);
  if (exact === undefined) return refuse("its lines stand at very many places of the file; split the patch");
  if (exact.length === 0) return tolerantPlace(search);
  const line = choosePlace(search, exact);
  return line.ok ? { ok: true, value: exactly(search, line.value) } : line;
}

type HunkSearch = { index: LineIndex; hunk: PatchHunk; passage: readonly string[]; progress: HunkProgress };

function exactly({ passage }: HunkSearch, line: number): HunkPlace {
  return { line, places: passage.map((_, at) => line + at), tolerance: "exact", shift: noShift };
}

const between = (line: number): Expected<HunkPlace> => ({
  ok: true,
  value: { line, places: [], tolerance: "exact", shift: noShift },
});

/** Without old lines, only an empty file, its end or a header gives the place. */
function placeToInsert(index: LineIndex, hunk: PatchHunk): Expected<HunkPlace> {
  const { texts } = index;
  if (texts.length === 0 || hunk.atEnd) return between(texts.length);
  if (hunk.headers.length === 0 || hunk.oldStart !== undefined) return refuse(emptyHunk);
  const named = scopeOf(index, hunk.headers);
  return named.named === "one"
    ? between(named.scope.line + 1)
    : refuse(`${emptyHunk}: its header is no line of the file, or several`);
}

/** Uses the line number if nothing contradicts it: the common case in a correct diff. */
function directPlace({ index, hunk, passage, progress }: HunkSearch): number | undefined {
  if (hunk.oldStart === undefined || !isBelievable(hunk, passage)) return undefined;
  const line = hunk.oldStart - 1;
  if (hunk.newStart !== undefined && hunk.newStart - 1 - progress.grown !== line) return undefined;
  const isAtEnd = line + passage.length === index.texts.length;
  if (!isAtEnd && (hunk.atEnd || mayBeAtEnd(hunk))) return undefined;
  return fitsAt(index, passage, line) ? line : undefined;
}

/** If the counts are wrong, lines may be missing, among them the one the number refers to. */
function isBelievable({ counts, lines }: PatchHunk, passage: readonly string[]): boolean {
  const added = lines.filter(({ kind }) => kind === "added").length;
  const removed = lines.filter(({ kind }) => kind === "removed").length;
  if (counts?.old === passage.length && counts.new === passage.length + added - removed) return true;
  return passage.length > 1 && passage.some(isTelling);
}

/** In a program-made diff, context above but none below the last change means the end of the file. */
function mayBeAtEnd({ lines }: PatchHunk): boolean {
  return lines[0]?.kind === "context" && lines.at(-1)?.kind !== "context";
}

/** Context lines that lost their leading space, which was then taken from the indentation. */
function withLostSpaces({ index, hunk, passage }: HunkSearch): string[] | undefined {
  const old = oldLines(hunk);
  const isLost = (text: string, at: number): boolean =>
    old[at]?.kind === "context" &&
    text.startsWith(" ") &&
    !index.places.has(text) &&
    index.places.has(` ${text}`);
  return passage.some(isLost) ? passage.map((text, at) => (isLost(text, at) ? ` ${text}` : text)) : undefined;
}

/** Searches with as little tolerance as needed. */
function tolerantPlace(search: HunkSearch): Expected<HunkPlace> {
  const { index, hunk, passage } = search;
  const respaced = withLostSpaces(search);
  const places = respaced && exactPlaces(index, respaced);
  if (places !== undefined && places.length > 0) {
    const line = choosePlace(search, places);
    return line.ok ? { ok: true, value: { ...exactly(search, line.value), tolerance: "indentation" } } : line;
  }
  index.patience -= index.texts.length + passage.length;
  if (index.patience < 0)
    return refuse("too many hunks of the patch do not fit exactly; copy their lines anew from the files");
  const kept = oldLines(hunk).map(({ kind }) => kind === "context");
  const found = findPassage(index.texts, passage, { kept });
  if (found.found === "nowhere")
    return refuse(nowhere(index.texts, { passage, isDone: isDone(index, hunk) }));
  if (found.found === "once") return ofOne(search, found);
  const line = choosePlace(search, found.lines);
  if (!line.ok) return line;
  const again = findPassage(index.texts, passage, { expectedAt: line.value });
  return again.found === "once" ? ofOne(search, again) : refuse(several(found.lines));
}

function ofOne(search: HunkSearch, found: Extract<PassageSearch, { found: "once" }>): Expected<HunkPlace> {
  const line = choosePlace(search, [found.line]);
  return line.ok ? { ok: true, value: found } : line;
}

/** Whether the hunk's result is already in the file. */
function isDone(index: LineIndex, hunk: PatchHunk): boolean {
  const made = newLines(hunk).map(({ text }) => text);
  return made.some((text) => text.trim() !== "") && exactPlaces(index, made)?.length === 1;
}

/** Chooses among the places; rejects any that other evidence contradicts. */
function choosePlace(search: HunkSearch, places: readonly number[]): Expected<number> {
  const { index, hunk, passage } = search;
  const ends = places.filter((line) => line + passage.length === index.texts.length);
  const [end] = ends;
  if (hunk.atEnd && end !== undefined) return { ok: true, value: end };
  const numbered = byNumber(search, places, end);
  if (numbered !== undefined) return { ok: true, value: numbered };
  const [only] = places;
  if (only !== undefined && places.length === 1) return withinReach(search, only);
  const scoped = byScope(search, places);
  const ordered = (scoped.length > 0 ? scoped : places).filter(
    (line) => firstChange(hunk, line) >= search.progress.behind,
  );
  const [narrowed] = scoped.length === 1 ? scoped : ordered;
  const isOne = scoped.length === 1 || ordered.length === 1;
  if (narrowed !== undefined && isOne && isNearest(search, places, narrowed))
    return { ok: true, value: narrowed };
  return refuse(several(places));
}

/** The place at its exact old number, unless its new number or the end of the file point elsewhere. */
function byNumber(
  search: HunkSearch,
  places: readonly number[],
  end: number | undefined,
): number | undefined {
  const { hunk } = search;
  if (hunk.oldStart === undefined || !isBelievable(hunk, search.passage)) return undefined;
  const line = hunk.oldStart - 1;
  if (!places.includes(line) || !isNearest(search, places, line)) return undefined;
  return end !== undefined && end !== line && mayBeAtEnd(hunk) ? undefined : line;
}

/** Whether no other place is as near to the line numbers; true if there are none. */
function isNearest({ hunk, progress }: HunkSearch, places: readonly number[], line: number): boolean {
  const start = hunk.newStart === undefined ? hunk.oldStart : hunk.newStart - progress.grown;
  if (start === undefined) return true;
  const distance = (place: number): number => Math.abs(place - (start - 1));
  return places.every((place) => place === line || distance(place) > distance(line));
}

/** Accepts a unique place, unless the header names a line that only follows it. */
function withinReach({ index, hunk, passage }: HunkSearch, line: number): Expected<number> {
  if (hunk.headers.length === 0 || hunk.oldStart !== undefined) return { ok: true, value: line };
  const named = scopeOf(index, hunk.headers);
  const isBefore = named.named === "one" && line + passage.length <= named.scope.line;
  return isBefore ? refuse(wrongScope(hunk, { line, header: named.scope.line })) : { ok: true, value: line };
}

/** The places inside the block that the headers name; else those below that header. */
function byScope({ index, hunk, passage }: HunkSearch, places: readonly number[]): number[] {
  const named = scopeOf(index, hunk.headers);
  if (named.named !== "one" || hunk.headers.length === 0) return [];
  const { line, end } = named.scope;
  const below = places.filter((place) => place + passage.length > line);
  const within = below.filter((place) => place < end);
  return within.length > 0 ? within : below;
}

/** The line of the hunk's first change: context above it may overlap with earlier changes. */
function firstChange({ lines }: PatchHunk, line: number): number {
  const leading = lines.findIndex(({ kind }) => kind !== "context");
  return line + Math.max(0, leading);
}

const emptyHunk =
  "it only adds lines and does not tell where: give it lines of the file around them as context";

type Expectation = {
  passage: readonly string[];
  /** The hunk's result is already in the file. */
  isDone: boolean;
};

/** Ends with a line feed if lines of the file are shown. */
function nowhere(file: readonly string[], { passage, isDone }: Expectation): string {
  const { difference, shown } = nearestWords(file, passage, "the hunk");
  const done = isDone ? ". What it would make stands there already: perhaps it was applied before" : "";
  const why = difference === undefined || isDone ? "" : `: ${difference}`;
  const said = `its lines stand nowhere in the file${why}${done}`;
  if (shown === undefined)
    return `${said}. Nothing in the file is like them: read the file, and copy them from it`;
  return `${said}. Copy them from the file as it is now. The nearest lines of the file are:\n${shown}\n`;
}

function several(places: readonly number[]): string {
  const lines = places.slice(0, 10).map((line) => line + 1);
  const more = places.length > 10 ? ", …" : "";
  return `its lines stand at ${places.length} places (lines ${lines.join(", ")}${more}); add lines around them, or a \`@@\` header that names the function or class`;
}

function wrongScope({ headers }: PatchHunk, found: { line: number; header: number }): string {
  const header = cutLine(headers.at(-1) ?? "", 100);
  return `its lines stand only at line ${found.line + 1}, above its header "${header}" at line ${found.header + 1}`;
}
