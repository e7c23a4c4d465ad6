/** Two scans of a workspace, compared: which paths differ, and of which of them more cannot be known. */

import { type Entry, isUntouched } from "./entry.ts";
import { ancestorsOf } from "./left-out.ts";
import type { Scan } from "./scan.ts";

export type Difference = { path: string; was?: Entry; is?: Entry };

export type Differences = {
  /** Of files, links and directories, in the order of their paths. */
  known: Difference[];
  /** Of anything else, or of what was not looked into before or after. */
  unknown: Difference[];
};

/** `since`: when the first scan began, in nanoseconds since 1970. */
export function differencesOf(before: Scan, after: Scan, since: bigint): Differences {
  const found: Differences = { known: [], unknown: [] };
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

function differenceAt(path: string, before: Scan, after: Scan): Difference | undefined {
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

/** Not gone: it lies in a directory that cannot be read any more, which is told instead. */
const isHidden = ({ path, is }: Difference, { unlooked }: Scan): boolean =>
  !is && unlooked.size > 0 && ancestorsOf(path).some((above) => unlooked.get(above) === "closed");

const isUnlooked = ({ path, was, is }: Difference, before: Scan, after: Scan): boolean =>
  before.unlooked.has(path) || after.unlooked.has(path) || was?.kind === "other" || is?.kind === "other";

/** What is in it is unknown now, but not that it is a directory as before. */
const isModeOfUnlooked = ({ path, was, is }: Difference, before: Scan, after: Scan): boolean =>
  after.unlooked.has(path) &&
  !before.unlooked.has(path) &&
  was?.kind === "directory" &&
  is?.kind === "directory" &&
  was.mode !== is.mode;

/** Clocks of network file systems differ by about this. */
const tolerance = 2_000_000_000n;

/**
 * Whether what is new here was made before the command, somewhere that was not looked at, and moved here: taking its
 * arrival back by removing it would lose it.
 */
function oldness(before: Scan, since: bigint): (difference: Difference) => boolean {
  let inodes: Set<bigint> | undefined;
  return ({ was, is }) => {
    if (was || !is || is.born <= 0n || is.born > since - tolerance) return false;
    inodes ??= new Set([...before.entries.values()].map(({ inode }) => inode));
    return !inodes.has(is.inode);
  };
}
