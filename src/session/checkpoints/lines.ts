/** Compares and merges files line by line without losing a byte: a line is its bytes, including its ending. */

import { differingRegions, type Region } from "../../base/differing-regions.ts";
import { hasNul } from "../../base/text.ts";
import { undoBounds } from "../bounds.ts";

/** One character per byte, so that every encoding survives. */
export type Lines = readonly string[];

/** Regions separated by at most twice the context form one hunk. */
export type Hunk = { number: number; regions: readonly Region[]; text: string };

/** Larger files are not compared by lines. */
const mostBytes = undoBounds.comparedBytes.most;
/** Limits edits instead of time: the same two files must always give the same hunks. */
const mostEdits = 3000;
const context = 3;

/** Undefined for content that is not text lines: binary files, and very large ones. */
export function linesOf(bytes: Uint8Array): Lines | undefined {
  if (bytes.length > mostBytes || hasNul(bytes)) return undefined;
  return (
    Buffer.from(bytes)
      .toString("latin1")
      .match(/[^\n]*\n|[^\n]+$/g) ?? []
  );
}

export const bytesOfLines = (lines: Lines): Uint8Array => Buffer.from(lines.join(""), "latin1");

/** The differing regions, in order. Files too different to compare have a single one. */
export const regionsOf = (old: Lines, now: Lines): Region[] => differingRegions(old, now, mostEdits);

export function hunksOf(old: Lines, now: Lines): Hunk[] {
  const groups: Region[][] = [];
  for (const region of regionsOf(old, now)) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && region.oldAt - (last.oldAt + last.old.length) <= 2 * context) group.push(region);
    else groups.push([region]);
  }
  return groups.map((regions, index) => ({ number: index + 1, regions, text: hunkText(old, regions) }));
}

/** The new text, with these hunks reverted. */
export function withoutHunks(old: Lines, hunks: readonly Hunk[], back: ReadonlySet<number>): Lines {
  let at = 0;
  const pieces = hunks.flatMap(({ number, regions }) =>
    regions.map((region) => {
      const same = old.slice(at, region.oldAt);
      at = endOf(region);
      return [...same, ...(back.has(number) ? region.old : region.now)];
    }),
  );
  return [...pieces.flat(), ...old.slice(at)];
}

/** Both sides' changes to `base` combined; undefined if they changed the same or neighbouring lines differently. */
export function mergeLines(base: Lines, one: Lines, other: Lines): Lines | undefined {
  const [left, right] = [regionsOf(base, one), regionsOf(base, other)];
  const merged: string[][] = [];
  let [at, atLeft, atRight] = [0, 0, 0];
  for (;;) {
    const [mine, theirs] = [left[atLeft], right[atRight]];
    const next = theirs && (!mine || theirs.oldAt < mine.oldAt) ? theirs : mine;
    if (!next) return [...merged.flat(), ...base.slice(at)];
    if (mine && theirs && touch(mine, theirs)) {
      if (!isSameRegion(mine, theirs)) return undefined;
      atLeft += 1;
      atRight += 1;
    } else if (next === mine) atLeft += 1;
    else atRight += 1;
    merged.push([...base.slice(at, next.oldAt), ...next.now]);
    at = endOf(next);
  }
}

/** If a file has no counterpart, all its lines count; contents that are not text lines count none. */
export function countLines(
  old: Uint8Array | null,
  now: Uint8Array | null,
): { added: number; removed: number } {
  const [before, after] = [old ? linesOf(old) : [], now ? linesOf(now) : []];
  if (!before || !after) return { added: 0, removed: 0 };
  const regions = regionsOf(before, after);
  return {
    added: regions.reduce((sum, region) => sum + region.now.length, 0),
    removed: regions.reduce((sum, region) => sum + region.old.length, 0),
  };
}

const endOf = ({ oldAt, old }: Region): number => oldAt + old.length;

const touch = (one: Region, other: Region): boolean => one.oldAt <= endOf(other) && other.oldAt <= endOf(one);

const isSameRegion = (one: Region, other: Region): boolean =>
  one.oldAt === other.oldAt && one.old.length === other.old.length && one.now.join("") === other.now.join("");

function hunkText(old: Lines, regions: readonly Region[]): string {
  const [first, last] = [regions[0], regions.at(-1)];
  if (!first || !last) return "";
  const start = Math.max(0, first.oldAt - context);
  const end = Math.min(old.length, endOf(last) + context);
  const nowStart = first.nowAt - (first.oldAt - start);
  const nowEnd = last.nowAt + last.now.length + (end - endOf(last));
  let at = start;
  const body = regions.flatMap((region) => {
    const same = old.slice(at, region.oldAt);
    at = endOf(region);
    return [markedLines(" ", same), markedLines("-", region.old), markedLines("+", region.now)];
  });
  const header = `@@ -${span(start, end)} +${span(nowStart, nowEnd)} @@`;
  return `${[header, ...body.flat(), ...markedLines(" ", old.slice(at, end))].join("\n")}\n`;
}

/** As in `diff -u`: from 1, omitting a length of 1; an empty span is given by the line before it. */
function span(start: number, end: number): string {
  const length = end - start;
  return length === 1 ? `${start + 1}` : `${length === 0 ? start : start + 1},${length}`;
}

function markedLines(mark: string, lines: Lines): string[] {
  return lines.flatMap((line) => {
    const isWhole = line.endsWith("\n");
    const words = Buffer.from(isWhole ? line.slice(0, -1) : line, "latin1").toString("utf8");
    return isWhole ? [mark + words] : [mark + words, "\\ No newline at end of file"];
  });
}
