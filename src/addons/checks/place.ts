/** A directory in which the checks of a project are looked for. It is only read: nothing is run to find out. */

import { closeSync, constants, fstatSync, opendirSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bounds } from "../../base/bounds.ts";
import { isWithin } from "../../base/paths.ts";

export type Place = {
  /** What stands in it, files and directories. */
  names: ReadonlySet<string>;
  /** A regular file's text; empty where there is none. */
  read(name: string): string;
  /** Whether it stands here, or in a directory above as far as the workspace reaches. */
  isAbove(name: string): boolean;
};

const largestFile = bounds.checks.file.most;
const mostEntries = bounds.checks.entries.most;

/** `workspace` and `directory` are absolute and real. */
export function placeAt(workspace: string, directory: string): Place {
  const above = [...waysUp(workspace, directory)].slice(1);
  const names = namesIn(directory);
  return {
    names,
    read: (name) => (names.has(name) ? textOf(join(directory, name)) : ""),
    isAbove: (name) => names.has(name) || above.some((one) => namesIn(one).has(name)),
  };
}

/** The directory, then those above it up to the workspace. */
export function* waysUp(workspace: string, directory: string): Generator<string> {
  for (let at = directory; isWithin(workspace, at); at = dirname(at)) {
    yield at;
    if (at === workspace) return;
  }
}

function namesIn(directory: string): Set<string> {
  const names = new Set<string>();
  try {
    const opened = opendirSync(directory);
    try {
      for (let entry = opened.readSync(); entry && names.size < mostEntries; entry = opened.readSync())
        names.add(entry.name);
    } finally {
      opened.closeSync();
    }
  } catch {
    // Where nothing can be read nothing is found.
  }
  return names;
}

/** A link could lead out of the workspace, and a pipe would never end. */
function textOf(path: string): string {
  try {
    const opened = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const status = fstatSync(opened);
      return status.isFile() && status.size <= largestFile ? readFileSync(opened, "utf8") : "";
    } finally {
      closeSync(opened);
    }
  } catch {
    return "";
  }
}
