/**
 * What directories hold, for the hundreds of places that every command asks about and of which few exist: each is read
 * again only when it has changed, and looked at once for a command.
 */

import { type Dirent, readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { directoryGlance } from "../../base/directory-glance.ts";
import { codeOf } from "../../base/safe-fs/problems.ts";

/** One look, for one command. */
export type KnownNames = {
  /** False if there is surely nothing at the path, which is absolute. */
  mayExist: (path: string) => boolean;
  /** What the directory holds; empty if it cannot be read. */
  entriesIn: (directory: string) => readonly Dirent[];
};

type ListedDirectory = { entries: readonly Dirent[]; names: ReadonlySet<string> };
/** `unknown`: it cannot be listed, but may be searched. */
type NameLook = ListedDirectory | "absent" | "unknown";

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
const listing = directoryGlance((directory): NameLook => {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return { entries, names: new Set(entries.map(({ name }) => foldName(name))) };
  } catch (error) {
    const code = codeOf(error);
    return code === "ENOENT" || code === "ENOTDIR" ? "absent" : "unknown";
  }
});

/** Some file systems take names for the same that differ in case or form. */
const foldName = (name: string): string =>
  /^[\x20-\x7e]*$/u.test(name) ? name.toLowerCase() : name.normalize("NFKC").toUpperCase().toLowerCase();
