/**
 * Handles files changed by someone else while the command ran: the command's version is set aside, and nothing is
 * overwritten.
 */

import { ancestorsOf, shownPath } from "./byte-path.ts";
import type { OverlayDifference } from "./differences.ts";
import { keptPlace, putAside } from "./put-aside.ts";
import type { RootedTree } from "./rooted-tree.ts";

type WithoutConflicts = { list: OverlayDifference[]; warnings: string[] };

type ConflictContext = { upper: RootedTree; started: bigint; stateDir: string };

/**
 * Drops the conflicting places, anything inside a directory that replaced one, and removals of directories above one.
 */
export function withoutConflicts(
  list: readonly OverlayDifference[],
  { upper, started, stateDir }: ConflictContext,
): WithoutConflicts {
  const conflicts = list.filter(
    ({ before }) => before !== null && before.kind !== "directory" && before.changed > started,
  );
  if (conflicts.length === 0) return { list: [...list], warnings: [] };
  const taken = new Set(conflicts.map(({ path }) => path));
  const held = new Set(conflicts.flatMap(({ path }) => ancestorsOf(path)));
  const isLeft = ({ path, after }: OverlayDifference): boolean =>
    !taken.has(path) &&
    !ancestorsOf(path).some((above) => taken.has(above)) &&
    (after?.kind === "directory" || !held.has(path));
  // Entries that would replace a directory in which someone else has added a file.
  const displaced = list.filter(
    ({ path, after }) => !taken.has(path) && held.has(path) && after !== null && after.kind !== "directory",
  );
  const place = keptPlace(stateDir);
  const warn = ({ path, after }: OverlayDifference): string => {
    const told = `${shownPath(path)} was changed by somebody else while the command ran`;
    if (after === null) return `${told}: it was not removed.`;
    const kept = putAside(upper, path, place);
    return kept === undefined
      ? `${told}: it stays as it is.`
      : `${told}: it stays as it is, and the command's version is kept at ${kept}.`;
  };
  return { list: list.filter(isLeft), warnings: [...conflicts, ...displaced].map(warn) };
}
