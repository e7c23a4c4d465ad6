/** Divides differences into changes that can be reviewed and undone, and those too many or too large for that. */

import { ancestorsOf, asText, type BytePath, isBelow, parentOf } from "./byte-path.ts";
import type { OverlayCaps, OverlayDifference } from "./differences.ts";

export type Reason = "generated" | "apart" | "limit" | "size" | "name" | "odd" | "holds";
export type UncoveredDifference = OverlayDifference & { reason: Reason };
export type DividedDifferences = { covered: OverlayDifference[]; uncovered: UncoveredDifference[] };
/** `late`: uncovered entries for which covered changes make room. */
type KeptDifferences = DividedDifferences & { late: UncoveredDifference[] };

/**
 * A file or link that something uncovered has replaced, or that has become too large, is a covered removal, so that
 * its content is kept; what stands there now is put in place after that.
 */
export function withOldKept(
  { covered, uncovered }: DividedDifferences,
  caps: OverlayCaps,
  unreadable: ReadonlySet<BytePath>,
): KeptDifferences {
  const isReplaced = ({ path, before, after, reason }: UncoveredDifference): boolean =>
    (reason === "odd" || reason === "size") &&
    after !== null &&
    (before?.kind === "link" || (before?.kind === "file" && before.size <= caps.fileBytes)) &&
    !unreadable.has(path);
  const replaced = new Set(uncovered.filter(isReplaced).map(({ path }) => path));
  if (replaced.size === 0) return { covered, uncovered, late: [] };
  const isLate = ({ path }: UncoveredDifference): boolean => topmost(path, replaced) !== undefined;
  const removals = uncovered
    .filter(({ path }) => replaced.has(path))
    .map((one): OverlayDifference => ({ ...one, after: null }));
  return {
    covered: [...covered, ...removals],
    uncovered: uncovered.filter((one) => !isLate(one)),
    late: uncovered.filter(isLate).map((one) => (replaced.has(one.path) ? { ...one, before: null } : one)),
  };
}

/** `unreadable` lists paths whose content could not be read. */
export function divide(
  list: readonly OverlayDifference[],
  caps: OverlayCaps,
  unreadable: ReadonlySet<BytePath> = new Set(),
): DividedDifferences {
  const divided: DividedDifferences = { covered: [], uncovered: [] };
  const crowded = crowdedDirectories(list, caps);
  const shut = new Set(list.filter(isShut).map(({ path }) => path));
  const isOdd = (path: BytePath): boolean =>
    unreadable.has(path) || (shut.size > 0 && topmost(path, shut) !== undefined);
  const open: OverlayDifference[] = [];
  for (const difference of list) {
    const reason = reasonOf(difference, crowded, caps) ?? (isOdd(difference.path) ? "odd" : undefined);
    if (reason === undefined) open.push(difference);
    else divided.uncovered.push({ ...difference, reason });
  }
  const spent = { changes: 0, before: 0, after: 0 };
  for (const group of inOrder(open)) {
    const fits = group.isNew ? fitsWhole(group.members, spent, caps) : undefined;
    for (const member of group.members) {
      if (fits ?? spend(member, spent, caps)) divided.covered.push(member);
      else divided.uncovered.push({ ...member, reason: "limit" });
    }
  }
  return withParents(divided);
}

/** A directory, added or removed, that we cannot read: its contents would be unknown to us later. */
function isShut({ before, after }: OverlayDifference): boolean {
  const side = before?.kind === "directory" ? before : after;
  const comesOrGoes = before?.kind !== after?.kind;
  return comesOrGoes && side?.kind === "directory" && (side.mode & 0o500) !== 0o500;
}

function crowdedDirectories(list: readonly OverlayDifference[], caps: OverlayCaps): Set<BytePath> {
  const counts = new Map<BytePath, number>();
  for (const { generated, files = 1 } of list)
    if (generated !== undefined) counts.set(generated, (counts.get(generated) ?? 0) + files);
  return new Set([...counts].filter(([, count]) => count > caps.generated).map(([path]) => path));
}

function reasonOf(
  difference: OverlayDifference,
  crowded: ReadonlySet<BytePath>,
  caps: OverlayCaps,
): Reason | undefined {
  const { path, before, after, files, generated, apart } = difference;
  if (apart !== undefined) return "apart";
  if (generated !== undefined && crowded.has(generated)) return "generated";
  if (files !== undefined) return "limit";
  if (asText(path) === undefined) return "name";
  if (before?.kind === "other" || after?.kind === "other") return "odd";
  return Math.max(sizeOf(before), sizeOf(after)) > caps.fileBytes ? "size" : undefined;
}

const sizeOf = (side: OverlayDifference["before"]): number => (side?.kind === "file" ? side.size : 0);

type DifferenceGroup = { members: OverlayDifference[]; isNew: boolean };

/**
 * Existing files go first, and small groups before large ones, so that a thousand generated files do not displace three
 * handwritten ones. A new directory is covered entirely or not at all.
 */
function inOrder(list: readonly OverlayDifference[]): DifferenceGroup[] {
  const made = new Set(list.filter(isNewDirectory).map(({ path }) => path));
  const removed = new Set(list.filter(isRemovedDirectory).map(({ path }) => path));
  const groups = new Map<string, DifferenceGroup>();
  for (const difference of list) {
    const isNew = difference.before === null;
    const top = topmost(difference.path, isNew ? made : removed);
    const key = `${isNew ? "new" : "old"}/${top ?? parentOf(difference.path)}`;
    const group = groups.get(key) ?? { members: [], isNew: isNew && top !== undefined };
    group.members.push(difference);
    groups.set(key, group);
  }
  const bySize = [...groups].sort(([, one], [, other]) => one.members.length - other.members.length);
  return [false, true].flatMap((isNew) =>
    bySize.filter(([key]) => key.startsWith("new/") === isNew).map(([, group]) => group),
  );
}

const isNewDirectory = ({ before, after }: OverlayDifference): boolean =>
  before === null && after?.kind === "directory";
const isRemovedDirectory = ({ before, after }: OverlayDifference): boolean =>
  before?.kind === "directory" && after?.kind !== "directory";

const topmost = (path: BytePath, directories: ReadonlySet<BytePath>): BytePath | undefined =>
  [path, ...ancestorsOf(path)].findLast((above) => directories.has(above));

type SpentCaps = { changes: number; before: number; after: number };

function spend({ before, after }: OverlayDifference, spent: SpentCaps, caps: OverlayCaps): boolean {
  const next = {
    changes: spent.changes + 1,
    before: spent.before + sizeOf(before),
    after: spent.after + sizeOf(after),
  };
  const fits = next.changes <= caps.changes && Math.max(next.before, next.after) <= caps.allBytes;
  if (fits) Object.assign(spent, next);
  return fits;
}

function fitsWhole(members: readonly OverlayDifference[], spent: SpentCaps, caps: OverlayCaps): boolean {
  const trial = { ...spent };
  const fits = members.every((member) => spend(member, trial, caps));
  if (fits) Object.assign(spent, trial);
  return fits;
}

/**
 * Uncovered entries are merged before the changes are applied. A new directory that holds one must exist by then, and
 * the former contents of a directory that an uncovered entry replaced must be gone.
 */
function withParents({ covered, uncovered }: DividedDifferences): DividedDifferences {
  const above = new Set(
    uncovered.filter(({ after }) => after !== null).flatMap(({ path }) => ancestorsOf(path)),
  );
  const gone = uncovered
    .filter((one) => one.after !== null && isRemovedDirectory(one))
    .map(({ path }) => path);
  const mustGo = (one: OverlayDifference): boolean =>
    (one.after?.kind === "directory" && one.before?.kind !== "directory" && above.has(one.path)) ||
    gone.some((directory) => isBelow(one.path, directory));
  const later = covered.filter(mustGo).map((one): UncoveredDifference => ({ ...one, reason: "holds" }));
  return { covered: covered.filter((one) => !mustGo(one)), uncovered: [...uncovered, ...later] };
}
