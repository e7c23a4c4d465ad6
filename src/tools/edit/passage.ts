/**
 * Where whole lines stand in a file, found with as little tolerance as it takes, and never a guess between two places.
 */

import { noShift, type Shift, shiftBetween } from "./indentation.ts";
import type { Tolerance } from "./ladder.ts";
import { withoutLookAlikes } from "./look-alikes.ts";
import { bareLine, isTelling, type NearPlace, nearPlaces } from "./nearest.ts";

export type FindOptions = {
  /** The first line (from 0) where the passage may begin; 0 by default. */
  from?: number;
  /** Where it should begin: decides between several equal places if one of them is there. */
  expectedAt?: number;
  /** It must end with the last line of the file. */
  atEnd?: boolean;
  /**
   * For each line of the passage whether the change leaves it as it is. Only then the nearest place may be taken, where
   * nothing but such lines differ; without it there is no such tolerance.
   */
  kept?: readonly boolean[];
  /** Before which of its lines others come in (its length: behind the last); then there must be room for them. */
  inserts?: readonly number[];
};

/** Lines are counted from 0. */
export type PassageSearch =
  | {
      found: "once";
      line: number;
      /** How many lines of the file it takes; may differ from the passage's on the rung `nearest`. */
      lines: number;
      tolerance: Tolerance;
      /** For each line of the passage where it stands; undefined if it is not there (on the rung `nearest`). */
      places: readonly (number | undefined)[];
      /** Indents lines of the replacement as the file is indented; undefined if that is not plain. */
      shift: Shift;
    }
  | { found: "often"; lines: readonly number[]; tolerance: Tolerance }
  | { found: "nowhere"; nearest: Region | undefined };

/** `similarity`: from 0 to 1. */
type Region = { line: number; lines: number; similarity: number };

/** Both without line endings. Rungs: exact, trailing-space, indentation, look-alikes, nearest. */
export function findPassage(
  file: readonly string[],
  passage: readonly string[],
  options: FindOptions = {},
): PassageSearch {
  if (passage.length === 0) return emptyPassage(file, options);
  for (const tolerance of lineTolerances) {
    const found = findLines(tolerance, { file, passage, options });
    if (found) return found;
  }
  return nearestPassage({ file, passage, options });
}

/** Whether a line of the passage and the one before it stand next to each other in the file: room to insert between. */
export function isTogether(places: readonly (number | undefined)[], at: number): boolean {
  if (at <= 0) return places[0] !== undefined;
  if (at >= places.length) return places.at(-1) !== undefined;
  const [before, after] = [places[at - 1], places[at]];
  return before !== undefined && after === before + 1;
}

type Search = { file: readonly string[]; passage: readonly string[]; options: FindOptions };

/** The rungs on which whole lines are compared one by one. */
type LineTolerance = (typeof lineTolerances)[number];
const lineTolerances = ["exact", "trailing-space", "indentation", "look-alikes"] as const;

/** The lines of a file as they are compared on a rung; made once for each list of lines, which must not change. */
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

/** What of a line is compared. `plain`: for passages that begin or end within a line. */
const comparing: Readonly<Record<LineTolerance | "plain", (line: string) => string>> = {
  exact: (line) => line,
  "trailing-space": (line) => line.trimEnd(),
  indentation: (line) => line.trim(),
  plain: (line) => withoutLookAlikes(line).trimEnd(),
  "look-alikes": bareLine,
};

function emptyPassage(file: readonly string[], { expectedAt, atEnd }: FindOptions): PassageSearch {
  const line = atEnd === true || file.length === 0 ? file.length : expectedAt;
  if (line === undefined || line < 0 || line > file.length) return { found: "nowhere", nearest: undefined };
  return { found: "once", line, lines: 0, tolerance: "exact", places: [], shift: noShift };
}

/** On one rung alone; undefined if it is nowhere there. */
export function findLines(
  tolerance: LineTolerance,
  { file, passage, options }: Search,
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
  // So many places of the same words are never told apart by their indentation alone.
  const lines = starts.length > mostShifts ? starts : starts.filter((line) => shiftAt(line) !== undefined);
  const only = lines.length === 1 ? lines[0] : lines.find((line) => line === options.expectedAt);
  if (lines.length === 0) return undefined;
  const shift = only === undefined ? undefined : shiftAt(only);
  if (only === undefined || shift === undefined) return { found: "often", lines, tolerance };
  const places = passage.map((_, at) => only + at);
  return { found: "once", line: only, lines: passage.length, tolerance, places, shift };
}

const mostShifts = 2000;

/** Where one list of lines occurs in another, in linear time (Knuth, Morris and Pratt). */
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

/** How alike the nearest place must be, and by how much more than any other. */
const leastSimilarity = 0.8;
const leastLead = 0.15;
/** Telling lines that must be there; two are enough if they are nowhere else in the file. */
const leastLines = 3;

/** The rung `nearest` alone. */
export function nearestPassage({ file, passage, options }: Search): PassageSearch {
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

/** Nearly all of it is there, and no other place comes close. The best place is the first. */
export function isClearlyNearest([best, ...others]: readonly NearPlace[]): boolean {
  if (best === undefined || best.similarity < leastSimilarity || best.there < leastLines - 1) return false;
  if (best.missing > Math.max(1, Math.floor((best.there + best.missing) / 4))) return false;
  return others.every(
    ({ similarity, there }) => similarity <= best.similarity - leastLead && there < best.there,
  );
}

/** Every line that is to go is there, and all of the change stands where it cannot be meant for another place. */
function keepsTheRest({ places, there }: NearPlace, { file, passage, options }: Search): boolean {
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
  const hasRoom = (at: number): boolean =>
    isTogether(places, at) && (isAnchored(places, at) || isOnly(at) || isOnly(at - 1));
  return goes && inserts.every(hasRoom);
}

/** The lines around it, two on each side as far as there are, stand there as one piece. */
function isAnchored(places: readonly (number | undefined)[], at: number): boolean {
  const around = places.slice(Math.max(0, at - 2), at + 3);
  const [first] = around;
  return around.length > 2 && first !== undefined && around.every((line, offset) => line === first + offset);
}

function regionOf({ places, similarity }: NearPlace): Region {
  const found = places.filter((line) => line !== undefined);
  const [line = 0, last = 0] = [found[0], found.at(-1)];
  return { line, lines: last - line + 1, similarity };
}
