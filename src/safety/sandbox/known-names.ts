/**
 * What directories hold, for the hundreds of places that every command asks about and of which few exist: each is read
 * again only when it has changed, and looked at once for a command.
 */

import { type BigIntStats, type Dirent, readdirSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";

/** One look, for one command. */
export type KnownNames = {
  /** False if there is surely nothing at the path, which is absolute. */
  mayExist: (path: string) => boolean;
  /** What the directory holds; empty if it cannot be read. */
  entriesIn: (directory: string) => readonly Dirent[];
};

type ListedDirectory = { sign: string; entries: readonly Dirent[]; names: ReadonlySet<string> };
/** `unknown`: it cannot be listed, but may be searched. */
type NameLook = ListedDirectory | "absent" | "unknown";

const known = new Map<string, ListedDirectory>();
const mostKnown = 2_000;
/** The coarsest clocks of file systems tick every two seconds: a later change could carry the same time. */
const coarseness = 2_100_000_000n;

/** `root`: a directory whose parents need not list it, as where homes are mounted on demand. */
export function lookAtNames(root: string): KnownNames {
  const seen = new Map<string, NameLook>();
  const at = (directory: string): NameLook => {
    const before = seen.get(directory);
    if (before !== undefined) return before;
    const isListed = directory !== root && dirname(directory) !== "/";
    const look = isListed && !mayExist(directory) ? "absent" : listing(directory);
    seen.set(directory, look);
    return look;
  };
  const mayExist = (path: string): boolean => {
    const above = at(dirname(path));
    return typeof above === "string" ? above === "unknown" : above.names.has(foldName(basename(path)));
  };
  return {
    mayExist,
    entriesIn: (directory) => {
      const look = at(directory);
      return typeof look === "string" ? [] : look.entries;
    },
  };
}

/** Through a link, whose target then is what must not have changed. */
function listing(directory: string): NameLook {
  try {
    const stats = statSync(directory, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined || !stats.isDirectory()) return "absent";
    const sign = signOf(stats);
    const before = known.get(directory);
    if (before?.sign === sign) return before;
    const entries = readdirSync(directory, { withFileTypes: true });
    const listed = { sign, entries, names: new Set(entries.map(({ name }) => foldName(name))) };
    if (known.size >= mostKnown) known.clear();
    if (isSettled(stats)) known.set(directory, listed);
    else known.delete(directory);
    return listed;
  } catch {
    return "unknown";
  }
}

const signOf = ({ dev, ino, ctimeNs, mtimeNs }: BigIntStats): string => `${dev}:${ino}:${ctimeNs}:${mtimeNs}`;

/** Directories that are always new, such as those of /proc, are read each time. */
const isSettled = ({ ctimeNs }: BigIntStats): boolean =>
  BigInt(Date.now()) * 1_000_000n - ctimeNs > coarseness;

/** Some file systems take names for the same that differ in case or form. */
const foldName = (name: string): string =>
  /^[\x20-\x7e]*$/u.test(name) ? name.toLowerCase() : name.normalize("NFKC").toUpperCase().toLowerCase();
