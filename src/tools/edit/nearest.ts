/** Finds where a passage that does not match exactly most likely belongs: the places sharing most lines, best first. */

import { withoutLookAlikes } from "./look-alikes.ts";

/**
 * `places`: for each line of the passage its line in the file, from 0. `similarity`: 0 to 1 (identical). `there` and
 * `missing`: how many telling lines of the passage were and were not found.
 */
export type NearPlace = {
  places: readonly (number | undefined)[];
  similarity: number;
  there: number;
  missing: number;
};

/** `steps`: how much was compared, which is bounded. `isWhole`: nothing was skipped to stay within the bound. */
type NearSearch = { near: readonly NearPlace[]; isWhole: boolean; steps: number };

const mostSteps = 1_500_000;
const mostPassageLines = 5000;
const mostPlaces = 6;

/** A line without surrounding white space, look-alikes in their plainest form. */
export const bareLine = (line: string): string => withoutLookAlikes(line).trim();

/** Whether a line is distinctive: more than brackets and other signs. */
export const isTelling = (line: string): boolean => /[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(line);

/** Expects both in the form `bareLine` produces. */
export function nearPlaces(file: readonly string[], passage: readonly string[]): NearSearch {
  if (passage.length === 0 || passage.length > mostPassageLines)
    return { near: [], isWhole: false, steps: 0 };
  const texts = { file, passage };
  const slack = Math.min(40, 2 + (passage.length >> 2));
  const { votes, isWhole, steps } = votesOf(texts);
  const search = { texts, slack, used: new Set<string>(), weights: passage.map(weightOf) };
  const near: NearPlace[] = [];
  let done = steps;
  for (let offset = bestOffset(votes, slack); offset !== undefined; offset = bestOffset(votes, slack)) {
    const places = alignLines(search, offset - passage.length, "first");
    const last = alignLines(search, offset - passage.length, "last");
    done += votes.length + 2 * (passage.length + 1) * (2 * slack + 2);
    const pairs = places.flatMap((line, at) => (line === undefined ? [] : [{ line, at }]));
    votes[offset] = 0;
    for (const { line, at } of pairs) {
      search.used.add(`${at} ${line}`);
      if (isTelling(texts.passage[at] ?? "")) withdraw(votes, line - at + passage.length);
    }
    if (pairs.length > 0) near.push(nearPlace(texts, places, last));
    if (near.length === mostPlaces || done > mostSteps) break;
  }
  return { near: near.toSorted((a, b) => b.similarity - a.similarity), isWhole, steps: done };
}

type LinePlaces = readonly (number | undefined)[];

/** A line that fits equally well elsewhere between the same neighbours is not assigned a place. */
function nearPlace(texts: PassageTexts, places: LinePlaces, last: LinePlaces): NearPlace {
  const telling = places.filter((_, at) => isTelling(texts.passage[at] ?? ""));
  const there = telling.filter((line) => line !== undefined).length;
  const sure = places.map((line, at) => (line === last[at] ? line : undefined));
  return { places: sure, similarity: similarityOf(texts, places), there, missing: telling.length - there };
}

type PassageTexts = { file: readonly string[]; passage: readonly string[] };

/** For each offset between file and passage (0: the passage's length before), the number of equal telling lines. */
function votesOf({ file, passage }: PassageTexts): { votes: Int32Array; isWhole: boolean; steps: number } {
  const votes = new Int32Array(file.length + passage.length + 1);
  const places = new Map<string, number[]>();
  for (const [at, line] of passage.entries()) {
    if (!isTelling(line)) continue;
    const others = places.get(line);
    if (others) others.push(at);
    else places.set(line, [at]);
  }
  let steps = file.length;
  for (const [line, words] of file.entries()) {
    for (const at of places.get(words) ?? []) {
      if (++steps > mostSteps) return { votes, isWhole: false, steps };
      const offset = line - at + passage.length;
      votes[offset] = (votes[offset] ?? 0) + 1;
    }
  }
  return { votes, isWhole: true, steps };
}

function withdraw(votes: Int32Array, offset: number): void {
  votes[offset] = Math.max(0, (votes[offset] ?? 0) - 1);
}

/** The offset with most votes within its reach; on a tie, the one with most votes of its own. */
function bestOffset(votes: Int32Array, slack: number): number | undefined {
  let best: number | undefined;
  let [most, own, within] = [0, 0, 0];
  for (let at = -slack; at < votes.length; at++) {
    within += (votes[at + slack] ?? 0) - (votes[at - slack - 1] ?? 0);
    const count = votes[at] ?? 0;
    if (count === 0 || within < most || (within === most && count <= own)) continue;
    [best, most, own] = [at, within, count];
  }
  return best;
}

type Aligning = { texts: PassageTexts; slack: number; used: ReadonlySet<string>; weights: readonly number[] };

/**
 * The longest common subsequence of lines, by weight, near an offset, ignoring pairs already used. On a tie, prefers
 * lines that come first in the file, or last.
 */
function alignLines(
  { texts: { file, passage }, slack, used, weights }: Aligning,
  offset: number,
  choice: "first" | "last",
): (number | undefined)[] {
  const width = 2 * slack + 2;
  const best = new Int32Array((passage.length + 1) * width);
  const isPair = (at: number, line: number): boolean =>
    passage[at] === file[line] && !used.has(`${at} ${line}`);
  // In column c of row r the file's line is offset - slack + r + c; its left neighbour is one line before.
  for (let at = passage.length - 1; at >= 0; at--) {
    for (let column = width - 2; column >= 0; column--) {
      const line = offset - slack + at + column;
      const here = at * width + column;
      const skipFile = best[here + 1] ?? 0;
      const skipPassage = column === 0 ? 0 : (best[here + width - 1] ?? 0);
      const both = isPair(at, line) ? (weights[at] ?? 0) + (best[here + width] ?? 0) : 0;
      best[here] = Math.max(skipFile, skipPassage, both);
    }
  }
  const places: (number | undefined)[] = passage.map(() => undefined);
  let column = 0;
  for (let at = 0; at < passage.length && column < width - 1;) {
    const here = at * width + column;
    const line = offset - slack + at + column;
    const value = best[here] ?? 0;
    if (value === 0) break;
    const takes = isPair(at, line) && value === (weights[at] ?? 0) + (best[here + width] ?? 0);
    if (takes && (choice === "first" || value !== best[here + 1])) places[at++] = line;
    else if (value === best[here + 1]) column++;
    else [at, column] = [at + 1, column - 1];
  }
  return places;
}

function weightOf(line: string): number {
  if (line === "") return 1;
  return isTelling(line) ? 8 : 2;
}

const totalOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + weightOf(line), 0);

/** The share of both texts that is alike; partly similar lines count in part. */
function similarityOf({ file, passage }: PassageTexts, places: readonly (number | undefined)[]): number {
  const found = places.filter((line) => line !== undefined);
  const [first = 0, last = 0] = [found[0], found.at(-1)];
  let alike = 0;
  let standing = totalOf(file.slice(first, last + 1));
  for (const [at, line] of places.entries()) {
    const words = passage[at] ?? "";
    if (line !== undefined) alike += weightOf(words);
    const opposite = line === undefined ? oppositeOf(places, at) : undefined;
    if (opposite === undefined) continue;
    const other = file[opposite] ?? "";
    if (opposite < first || opposite > last) standing += weightOf(other);
    alike += (weightOf(words) + weightOf(other)) * 0.5 * likeness(words, other);
  }
  return (2 * alike) / Math.max(1, totalOf(passage) + standing);
}

/** The file line opposite this one, at the same distance from the next matched line. */
function oppositeOf(places: readonly (number | undefined)[], at: number): number | undefined {
  let [before, after] = [at - 1, at + 1];
  while (before >= 0 && places[before] === undefined) before--;
  while (after < places.length && places[after] === undefined) after++;
  const [above, below] = [places[before], places[after]];
  if (above !== undefined && below !== undefined && below - above !== after - before) return undefined;
  if (above !== undefined) return above + at - before;
  return below === undefined ? undefined : below - (after - at);
}

/** The similarity of two lines by shared pairs of characters, 0 to 1. */
export function likeness(one: string, other: string): number {
  if (one === other) return 1;
  const [pairs, others] = [pairsOf(one), pairsOf(other)];
  let shared = 0;
  for (const [pair, count] of pairs) shared += Math.min(count, others.get(pair) ?? 0);
  const all = [...pairs.values(), ...others.values()].reduce((sum, count) => sum + count, 0);
  return all === 0 ? 0 : (2 * shared) / all;
}

function pairsOf(line: string): Map<string, number> {
  const pairs = new Map<string, number>();
  const text = line.slice(0, 400);
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}
