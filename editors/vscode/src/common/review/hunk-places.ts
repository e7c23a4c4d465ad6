/** Finds where the hunks of a request are in a text that may have changed since. */

import type { ReviewHunk } from "./hunk.ts";

/** Lines from 0; `end` is not part of it. Where nothing was added both are the same. */
export type HunkSpan = { start: number; end: number };

/**
 * `exact`: its lines are there as the request left them; one span for each replacement. `edited`: somebody changed its
 * lines, and the span is where they were. `gone`: there is nothing left to tell where it was.
 */
export type PresentPlace =
  | { type: "exact"; spans: readonly HunkSpan[] }
  | { type: "edited"; span: HunkSpan }
  | { type: "gone" };

export type PlacedHunk = { hunk: ReviewHunk; place: PresentPlace };

/** The hunks are those of one file and one request, in order. */
export function placeHunks(hunks: readonly ReviewHunk[], lines: readonly string[]): PlacedHunk[] {
  const text = searchable(lines);
  const found = findWhole(hunks, text);
  return hunks.map((hunk, index) => {
    const at = found[index];
    if (at !== undefined) return { hunk, place: exactAt(hunk, at) };
    return { hunk, place: findRest(hunk, text, gapAround(index, { hunks, found, lines })) };
  });
}

function exactAt(hunk: ReviewHunk, at: number): PresentPlace {
  const spans = hunk.replacements.map((replacement) => {
    const start = at + replacement.at;
    return { start, end: start + replacement.added.length };
  });
  return { type: "exact", spans };
}

/**
 * Each hunk with all the lines around it, behind the one before it, nearest to where it should be. One that emptied the
 * text fits only into an empty one.
 */
function findWhole(hunks: readonly ReviewHunk[], text: SearchedText): (number | undefined)[] {
  const twins = Map.groupBy(hunks, ({ now }) => now.join("\n"));
  let [from, shift] = [0, 0];
  return hunks.map((hunk) => {
    if (hunk.now.length === 0 && text.lines.length > 0) return undefined;
    const at = nearest(hunk.now, { text, from, to: text.lines.length, near: hunk.nowAt + shift });
    if (at === undefined || isTwins(at - shift, hunk, twins)) return undefined;
    shift = at - hunk.nowAt;
    from = at + hunk.now.length;
    return at;
  });
}

/** Of hunks with the same lines one was edited: what is found is then the other one. */
function isTwins(at: number, { now, nowAt }: ReviewHunk, twins: ReadonlyMap<string, ReviewHunk[]>): boolean {
  const away = Math.abs(at - nowAt);
  const same = twins.get(now.join("\n")) ?? [];
  return same.some((other) => Math.abs(at - other.nowAt) < away);
}

/** Where to look for a hunk: between its neighbours. */
type SearchGap = { from: number; to: number; near: number };

type PartlyFound = {
  hunks: readonly ReviewHunk[];
  found: readonly (number | undefined)[];
  lines: readonly string[];
};

function gapAround(index: number, { hunks, found, lines }: PartlyFound): SearchGap {
  const before = found.findLastIndex((at, other) => other < index && at !== undefined);
  const after = found.findIndex((at, other) => other > index && at !== undefined);
  const [previous, hunk] = [hunks[before], hunks[index]];
  const from = previous ? (found[before] ?? 0) + previous.now.length : 0;
  const shift = previous ? (found[before] ?? 0) - previous.nowAt : 0;
  return { from, to: found[after] ?? lines.length, near: (hunk?.nowAt ?? 0) + shift };
}

/** A hunk whose surroundings were edited, or which was edited itself. */
function findRest(hunk: ReviewHunk, text: SearchedText, gap: SearchGap): PresentPlace {
  const core = hunk.now.slice(hunk.lead, hunk.now.length - hunk.trail);
  const at = onlyPlace(core, text, gap);
  if (at !== undefined) return exactAt(hunk, at - hunk.lead);
  return betweenContext(hunk, text, gap);
}

/** The changed lines alone say where they are only if they are in one place. */
function onlyPlace(core: readonly string[], text: SearchedText, gap: SearchGap): number | undefined {
  if (core.every((line) => line.trim() === "")) return undefined;
  const first = nearest(core, { text, ...gap });
  if (first === undefined) return undefined;
  const others = [
    nearest(core, { text, ...gap, to: first + core.length - 1, near: first }),
    nearest(core, { text, ...gap, from: first + 1, near: first }),
  ];
  return others.every((other) => other === undefined) ? first : undefined;
}

/** Edits make a hunk longer; further away there is something else. */
const mostGrowth = 60;

function betweenContext(hunk: ReviewHunk, text: SearchedText, gap: SearchGap): PresentPlace {
  const lead = hunk.now.slice(0, hunk.lead);
  const trail = hunk.now.slice(hunk.now.length - hunk.trail);
  const start = startAfter(lead, text, gap);
  const core = hunk.now.length - hunk.lead - hunk.trail;
  const near = start === undefined ? gap.near + hunk.lead + core : start + core;
  const end = endBefore(trail, text, { ...gap, from: start ?? gap.from, near });
  if (start !== undefined && end !== undefined && end - start <= 2 * core + mostGrowth)
    return { type: "edited", span: { start, end } };
  if (start !== undefined && lead.length > 0)
    return { type: "edited", span: { start, end: Math.min(start + core, gap.to) } };
  if (end !== undefined && trail.length > 0)
    return { type: "edited", span: { start: Math.max(end - core, gap.from), end } };
  return { type: "gone" };
}

/** Without lines before it, a hunk begins the text. */
function startAfter(lead: readonly string[], text: SearchedText, gap: SearchGap): number | undefined {
  if (lead.length === 0) return gap.from === 0 ? 0 : undefined;
  const at = nearest(lead, { text, ...gap });
  return at === undefined ? undefined : at + lead.length;
}

function endBefore(trail: readonly string[], text: SearchedText, gap: SearchGap): number | undefined {
  if (trail.length === 0) return gap.to === text.lines.length ? text.lines.length : undefined;
  return nearest(trail, { text, ...gap });
}

/** Where the block begins, within `from` and `to`, as near as possible to `near`; of two equally near ones the later. */
function nearest(
  block: readonly string[],
  { text, from, to, near }: SearchGap & { text: SearchedText },
): number | undefined {
  const last = to - block.length;
  if (last < from) return undefined;
  if (block.length === 0) return Math.min(Math.max(near, from), last);
  const found = placesOf(block, text).filter((at) => at >= from && at <= last && isAt(block, text.lines, at));
  const away = (at: number): number => Math.abs(at - near);
  return found.reduce<number | undefined>(
    (best, at) => (best === undefined || away(at) <= away(best) ? at : best),
    undefined,
  );
}

/** Where the block may begin, as its rarest line says. */
function placesOf(block: readonly string[], { index }: SearchedText): number[] {
  let rarest: { at: number; places: readonly number[] } | undefined;
  for (const [at, line] of block.entries()) {
    const places = index.get(line) ?? [];
    if (!rarest || places.length < rarest.places.length) rarest = { at, places };
  }
  return rarest ? rarest.places.map((place) => place - (rarest?.at ?? 0)) : [];
}

const isAt = (block: readonly string[], lines: readonly string[], at: number): boolean =>
  block.every((line, index) => lines[at + index] === line);

/** `index`: where each line is, so that searches do not walk through all of a long text. */
type SearchedText = { lines: readonly string[]; index: ReadonlyMap<string, readonly number[]> };

function searchable(lines: readonly string[]): SearchedText {
  const index = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const places = index.get(line);
    if (places) places.push(at);
    else index.set(line, [at]);
  }
  return { lines, index };
}
