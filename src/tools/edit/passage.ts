/** Finds whole lines in a file with as little tolerance as needed, never guessing between two places. */

import { noShift, type Shift, shiftBetween } from "./indentation.ts";
import type { Tolerance } from "./ladder.ts";
import { withoutLookAlikes } from "./look-alikes.ts";
import { bareLine, isTelling, type NearPlace, nearPlaces } from "./nearest.ts";

export type PassageOptions = {
  /** The first line (from 0) where the passage may begin; 0 by default. */
  from?: number;
  /** The expected place: chosen among several equal matches if it is one of them. */
  expectedAt?: number;
  /** The passage must end with the last line of the file. */
  atEnd?: boolean;
  /**
   * For each line of the passage, whether the change keeps it. Enables the `nearest` rung, where only kept lines may
   * differ.
   */
  kept?: readonly boolean[];
  /**
   * Indices of the lines before which others are inserted (the length: at the end); the neighbours must be adjacent in
   * the file.
   */
  inserts?: readonly number[];
};

/** Lines are counted from 0. */
export type PassageSearch =
  | {
      found: "once";
      line: number;
      /** The number of file lines covered; may differ from the passage's on the rung `nearest`. */
      lines: number;
      tolerance: Tolerance;
      /** Where each line of the passage is in the file; undefined if missing (on the rung `nearest`). */
      places: readonly (number | undefined)[];
      /** Shifts the replacement to the file's indentation; undefined if that is ambiguous. */
      shift: Shift;
    }
  | { found: "often"; lines: readonly number[]; tolerance: Tolerance }
  | { found: "nowhere"; nearest: NearestRegion | undefined };

/** `similarity`: from 0 to 1. */
type NearestRegion = { line: number; lines: number; similarity: number };

/** Takes both without line endings. Rungs: exact, trailing-space, indentation, look-alikes, nearest. */
export function findPassage(
  file: readonly string[],
  passage: readonly string[],
  options: PassageOptions = {},
): PassageSearch {
  if (passage.length === 0) return emptyPassage(file, options);
  for (const tolerance of lineTolerances) {
    const found = findLines(tolerance, { file, passage, options });
    if (found) return found;
  }
  return nearestPassage({ file, passage, options });
}

/** Whether a passage line and the one before it are adjacent in the file, so that text can be inserted between them. */
export function isTogether(places: readonly (number | undefined)[], at: number): boolean {
  if (at <= 0) return places[0] !== undefined;
  if (at >= places.length) return places.at(-1) !== undefined;
  const [before, after] = [places[at - 1], places[at]];
  return before !== undefined && after === before + 1;
}

type PassageQuery = { file: readonly string[]; passage: readonly string[]; options: PassageOptions };

/** The rungs that compare whole lines one by one. */
type LineTolerance = (typeof lineTolerances)[number];
const lineTolerances = ["exact", "trailing-space", "indentation", "look-alikes"] as const;

/** The file's lines in the form a rung compares; cached per list of lines, which must not change. */
export function comparedLines(view: LineTolerance | "plain", file: readonly string[]): readonly string[] {
  const views = viewsOf.get(file) ?? new Map<string, readonly string[]>();
  viewsOf.set(file, views);
  const made =
    views.get(view) ??
    (view === "look-alikes"
      ? comparedLines("plain", file).map((line) => line.trim())
      : file.map(comparing[view]));
  views.set(view, made);
  return made;
}

const viewsOf = new WeakMap<readonly string[], Map<string, readonly string[]>>();

/** The compared form of a line. `plain`: for passages that begin or end within a line. */
const comparing: Readonly<Record<LineTolerance | "plain", (line: string) => string>> = {
  exact: (line) => line,
  "trailing-space": (line) => line.trimEnd(),
  indentation: (line) => line.trim(),
  plain: (line) => withoutLookAlikes(line).trimEnd(),
  "look-alikes": bareLine,
};

function emptyPassage(file: readonly string[], { expectedAt, atEnd }: PassageOptions): PassageSearch {
  const line = atEnd === true || file.length === 0 ? file.length : expectedAt;
  if (line === undefined || line < 0 || line > file.length) return { found: "nowhere", nearest: undefined };
  return { found: "once", line, lines: 0, tolerance: "exact", places: [], shift: noShift };
}

/** Searches on one rung only; undefined if there is no match. */
export function findLines(
  tolerance: LineTolerance,
  { file, passage, options }: PassageQuery,
): PassageSearch | undefined {
  const bare = comparing[tolerance];
  const wanted = passage.map(bare);
  const shifts = tolerance === "indentation" || tolerance === "look-alikes";
  if (shifts && !wanted.some(isTelling)) return undefined;
  const ends = (line: number): boolean => options.atEnd !== true || line + passage.length === file.length;
  const starts = occurrences(comparedLines(tolerance, file), wanted).filter(
    (line) => line >= (options.from ?? 0) && ends(line),
  );
  const shiftAt = (line: number): Shift | undefined =>
    shifts ? shiftBetween(passage, file.slice(line, line + passage.length), file) : noShift;
  // With so many places of the same text, indentation alone never tells them apart.
  const lines = starts.length > mostShifts ? starts : starts.filter((line) => shiftAt(line) !== undefined);
  const only = lines.length === 1 ? lines[0] : lines.find((line) => line === options.expectedAt);
  if (lines.length === 0) return undefined;
  const shift = only === undefined ? undefined : shiftAt(only);
  if (only === undefined || shift === undefined) return { found: "often", lines, tolerance };
  const places = passage.map((_, at) => only + at);
  return { found: "once", line: only, lines: passage.length, tolerance, places, shift };
}

const mostShifts = 2000;

/** Finds all occurrences of one list of lines in another in linear time (Knuth-Morris-Pratt). */
export function occurrences(file: readonly string[], wanted: readonly string[]): number[] {
  const back = [0];
  for (let at = 1, length = 0; at < wanted.length;) {
    if (wanted[at] === wanted[length]) back[at++] = ++length;
    else if (length > 0) length = back[length - 1] ?? 0;
    else back[at++] = 0;
  }
  const found: number[] = [];
  for (let line = 0, length = 0; line < file.length && wanted.length > 0;) {
    if (file[line] === wanted[length]) {
      line++;
      if (++length < wanted.length) continue;
      found.push(line - length);
      length = back[length - 1] ?? 0;
    } else if (length > 0) length = back[length - 1] ?? 0;
    else line++;
  }
  return found;
}

/** How similar the nearest place must be, and by how much it must beat any other. */
const leastSimilarity = 0.8;
const leastLead = 0.15;
/** Telling lines that must be found; two suffice if they are unique in the file. */
const leastLines = 3;

/** Searches on the rung `nearest` only. */
export function nearestPassage({ file, passage, options }: PassageQuery): PassageSearch {
  const { near, isWhole } = nearPlaces(comparedLines("look-alikes", file), passage.map(bareLine));
  const [best] = near;
  if (best === undefined) return { found: "nowhere", nearest: undefined };
  const region = regionOf(best);
  const nowhere: PassageSearch = { found: "nowhere", nearest: region };
  const isWithin =
    region.line >= (options.from ?? 0) && (options.atEnd !== true || best.places.at(-1) === file.length - 1);
  if (!isWhole || !isClearlyNearest(near) || !isWithin || !keepsTheRest(best, { file, passage, options }))
    return nowhere;
  const pairs = best.places.flatMap((line, at) => (line === undefined ? [] : [{ line, at }]));
  const shift = shiftBetween(
    pairs.map(({ at }) => passage[at] ?? ""),
    pairs.map(({ line }) => file[line] ?? ""),
    file,
  );
  if (shift === undefined) return nowhere;
  return { found: "once", ...region, tolerance: "nearest", places: best.places, shift };
}

/** Nearly everything was found, and no other place comes close. The best place is first. */
export function isClearlyNearest([best, ...others]: readonly NearPlace[]): boolean {
  if (best === undefined || best.similarity < leastSimilarity || best.there < leastLines - 1) return false;
  if (best.missing > Math.max(1, Math.floor((best.there + best.missing) / 4))) return false;
  return others.every(
    ({ similarity, there }) => similarity <= best.similarity - leastLead && there < best.there,
  );
}

/** Every removed line was found, and each change is anchored so that no other place can be meant. */
function keepsTheRest({ places, there }: NearPlace, { file, passage, options }: PassageQuery): boolean {
  const { kept, inserts = [] } = options;
  if (kept === undefined) return false;
  const bare = comparedLines("look-alikes", file);
  const isOnly = (at: number): boolean => {
    const words = bareLine(passage[at] ?? "");
    return isTelling(words) && bare.indexOf(words) === places[at] && bare.lastIndexOf(words) === places[at];
  };
  if (
    there < leastLines &&
    places.some((line, at) => line !== undefined && isTelling(passage[at] ?? "") && !isOnly(at))
  )
    return false;
  const goes = places.every((line, at) => {
    if (kept[at] === true) return true;
    const isNext = at === 0 || kept[at - 1] === true || isTogether(places, at);
    return line !== undefined && isNext && (isOnly(at) || isAnchored(places, at));
  });
  const hasSpace = (at: number): boolean =>
    isTogether(places, at) && (isAnchored(places, at) || isOnly(at) || isOnly(at - 1));
  return goes && inserts.every(hasSpace);
}

/** The neighbouring lines, up to two on each side, are contiguous in the file. */
function isAnchored(places: readonly (number | undefined)[], at: number): boolean {
  const around = places.slice(Math.max(0, at - 2), at + 3);
  const [first] = around;
  return around.length > 2 && first !== undefined && around.every((line, offset) => line === first + offset);
}

function regionOf({ places, similarity }: NearPlace): NearestRegion {
  const found = places.filter((line) => line !== undefined);
  const [line = 0, last = 0] = [found[0], found.at(-1)];
  return { line, lines: last - line + 1, similarity };
}
