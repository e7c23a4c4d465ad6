/** Turns images before and after into changes that can be undone, and lists paths for which that is impossible. */

import { type Change, isSameImage } from "../../base/safe-fs/image.ts";
import type { ScanDifference, ScanDifferences } from "./differences.ts";
import type { Images } from "./images-after.ts";
import { ancestorsOf } from "./left-out.ts";

type SettledChanges = {
  /** Ordered by path. */
  changes: Change[];
  uncovered: string[];
};

export function settle({ known, unknown }: ScanDifferences, before: Images, after: Images): SettledChanges {
  const uncovered = new Map(unknown.map((each) => [each.path, each]));
  const changes: { change: Change; difference: ScanDifference }[] = [];
  for (const difference of known) {
    const { path } = difference;
    const [was, is] = [before.get(path), after.get(path)];
    if (was === undefined || is === undefined) uncovered.set(path, difference);
    else if (!isSameImage(was, is)) changes.push({ change: { path, before: was, after: is }, difference });
  }
  const inTheWay = obstacles([...uncovered.values()]);
  const kept: Change[] = [];
  for (const { change, difference } of changes) {
    const verdict = inTheWay(change);
    if (verdict === "free") kept.push(change);
    else if (verdict === "blocked") uncovered.set(change.path, difference);
  }
  return { changes: kept, uncovered: [...uncovered.keys()].sort() };
}

/**
 * Paths that cannot be undone will remain: no directory above them can be removed, and nothing can be put below one
 * that is not a directory. "stays": a new directory, which replaced nothing and so loses nothing.
 */
function obstacles(standing: readonly ScanDifference[]): (change: Change) => "free" | "blocked" | "stays" {
  const still = standing.filter(({ is }) => is);
  const above = new Set(still.flatMap(({ path }) => ancestorsOf(path)));
  const solid = new Set(still.filter(({ is }) => is?.kind !== "directory").map(({ path }) => path));
  return ({ path, before, after }) => {
    if (solid.size > 0 && ancestorsOf(path).some((each) => solid.has(each))) return "blocked";
    const isNewDirectory = after?.kind === "directory" && before?.kind !== "directory";
    if (!isNewDirectory || !above.has(path)) return "free";
    return before === null ? "stays" : "blocked";
  };
}
