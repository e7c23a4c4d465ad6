/** Computes the line differences between an edit's two texts: only these are changed in the file. */

import { differingRegions } from "../../base/differing-regions.ts";

/** Lines `from` (from 0) up to but excluding `to` of the old text become `lines`. */
export type EditHunk = { from: number; to: number; lines: readonly string[] };

/** Past this many differences, all lines between the first and last one count as changed. */
const mostDifferences = 2000;

export const hunksOf = (old: readonly string[], fresh: readonly string[]): EditHunk[] =>
  differingRegions(old, fresh, mostDifferences).map((region) => ({
    from: region.oldAt,
    to: region.oldAt + region.old.length,
    lines: region.now,
  }));

/** For each old line, whether it is unchanged. */
export function keptLines(old: readonly string[], hunks: readonly EditHunk[]): boolean[] {
  const kept = old.map(() => true);
  for (const { from, to } of hunks) kept.fill(false, from, to);
  return kept;
}
