/** Which regions of two lists differ, such as the lines of two texts. */

import { diffArrays } from "diff";
import { sameEnds } from "./text.ts";

/** A replaced range: `old` at `oldAt` became `now` at `nowAt`. */
export type Region = { oldAt: number; old: readonly string[]; nowAt: number; now: readonly string[] };

/** In order, none adjacent to another. Past `most` differences a single region spans from the first to the last one. */
export function differingRegions(old: readonly string[], now: readonly string[], most: number): Region[] {
  const { start, end } = sameEnds(old, now);
  const [oldMiddle, nowMiddle] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  if (oldMiddle.length === 0 && nowMiddle.length === 0) return [];
  const pieces = diffArrays(oldMiddle, nowMiddle, { maxEditLength: most });
  if (!pieces) return [{ oldAt: start, old: oldMiddle, nowAt: start, now: nowMiddle }];
  const regions: Region[] = [];
  let [oldAt, nowAt] = [start, start];
  let open: Region | undefined;
  for (const { added, removed, value } of pieces) {
    if (!added && !removed) open = undefined;
    else if (!open) regions.push((open = { oldAt, old: [], nowAt, now: [] }));
    if (open) open[added ? "now" : "old"] = [...open[added ? "now" : "old"], ...value];
    if (!added) oldAt += value.length;
    if (!removed) nowAt += value.length;
  }
  return regions;
}
