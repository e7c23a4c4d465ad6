/** Compares two scans of a workspace: which paths differ, and which of those cannot be examined further. */

import { type ScanEntry, isUntouched } from "./entry.ts";
import { ancestorsOf } from "./left-out.ts";
import type { WorkspaceScan } from "./scan.ts";

export type ScanDifference = { path: string; was?: ScanEntry; is?: ScanEntry };

export type ScanDifferences = {
  /** Differences in files, links and directories, ordered by path. */
  known: ScanDifference[];
  /** Differences in anything else, or in places not scanned before or after. */
  unknown: ScanDifference[];
};

/** `since`: when the first scan began, in nanoseconds since 1970. */
export function differencesOf(before: WorkspaceScan, after: WorkspaceScan, since: bigint): ScanDifferences {
  const found: ScanDifferences = { known: [], unknown: [] };
  const isOld = oldness(before, since);
  for (const path of new Set([...before.entries.keys(), ...after.entries.keys(), ...after.unlooked.keys()])) {
    const difference = differenceAt(path, before, after);
    if (!difference || isHidden(difference, after)) continue;
    if (isUnlooked(difference, before, after) || isOld(difference)) found.unknown.push(difference);
    else found.known.push(difference);
    if (isModeOfUnlooked(difference, before, after)) found.known.push(difference);
  }
  for (const list of [found.known, found.unknown]) list.sort((a, b) => (a.path < b.path ? -1 : 1));
  return found;
}

function differenceAt(path: string, before: WorkspaceScan, after: WorkspaceScan): ScanDifference | undefined {
  const was = before.entries.get(path);
  const is = after.entries.get(path);
  const [then, now] = [before.unlooked.get(path), after.unlooked.get(path)];
  const isSame =
    then === "git" && now === "git"
      ? was?.kind === is?.kind && was?.inode === is?.inode
      : then === undefined && now === undefined && was?.kind === "directory" && is?.kind === "directory"
        ? was.mode === is.mode
        : then === now && isUntouched(was, is);
  return isSame ? undefined : { path, ...(was ? { was } : {}), ...(is ? { is } : {}) };
}

/** Not deleted: it is in a directory that has become unreadable, which is reported instead. */
const isHidden = ({ path, is }: ScanDifference, { unlooked }: WorkspaceScan): boolean =>
  !is && unlooked.size > 0 && ancestorsOf(path).some((above) => unlooked.get(above) === "closed");

const isUnlooked = (
  { path, was, is }: ScanDifference,
  before: WorkspaceScan,
  after: WorkspaceScan,
): boolean =>
  before.unlooked.has(path) || after.unlooked.has(path) || was?.kind === "other" || is?.kind === "other";

/** The contents are unknown now, but the path is still a directory as before. */
const isModeOfUnlooked = (
  { path, was, is }: ScanDifference,
  before: WorkspaceScan,
  after: WorkspaceScan,
): boolean =>
  after.unlooked.has(path) &&
  !before.unlooked.has(path) &&
  was?.kind === "directory" &&
  is?.kind === "directory" &&
  was.mode !== is.mode;

/** Clocks of network file systems may be off by about this much. */
const tolerance = 2_000_000_000n;

/**
 * Whether a new path was created before the command, in a place that was not scanned, and then moved here: removing it
 * as part of undo would lose it.
 */
function oldness(before: WorkspaceScan, since: bigint): (difference: ScanDifference) => boolean {
  let inodes: Set<bigint> | undefined;
  return ({ was, is }) => {
    if (was || !is || is.born <= 0n || is.born > since - tolerance) return false;
    inodes ??= new Set([...before.entries.values()].map(({ inode }) => inode));
    return !inodes.has(is.inode);
  };
}
