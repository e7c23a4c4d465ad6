/** Computes the line differences between an edit's two texts: only these are changed in the file. */

import { diffArrays } from "diff";

/** Lines `from` (from 0) up to but excluding `to` of the old text become `lines`. */
export type EditHunk = { from: number; to: number; lines: readonly string[] };

/** Past this many differences, all lines between the first and last one count as changed. */
const mostDifferences = 2000;

export function hunksOf(old: readonly string[], fresh: readonly string[]): EditHunk[] {
  const outer = outerHunk(old, fresh);
  if (outer.from === outer.to && outer.lines.length === 0) return [];
  const removed = old.slice(outer.from, outer.to);
  const parts = diffArrays(removed, [...outer.lines], { maxEditLength: mostDifferences });
  if (parts === undefined) return [outer];
  const hunks: EditHunk[] = [];
  let at = outer.from;
  let open: EditHunk | undefined;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      open = undefined;
      at += value.length;
      continue;
    }
    if (open === undefined) hunks.push((open = { from: at, to: at, lines: [] }));
    if (added) open.lines = [...open.lines, ...value];
    else open.to = at += value.length;
  }
  return hunks;
}

/** For each old line, whether it is unchanged. */
export function keptLines(old: readonly string[], hunks: readonly EditHunk[]): boolean[] {
  const kept = old.map(() => true);
  for (const { from, to } of hunks) kept.fill(false, from, to);
  return kept;
}

/** One hunk for everything between the common start and the common end. */
function outerHunk(old: readonly string[], fresh: readonly string[]): EditHunk {
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  return { from: start, to: old.length - end, lines: fresh.slice(start, fresh.length - end) };
}
