/** Read-only access to a directory that is searched for checks; nothing is executed. */

import { closeSync, constants, fstatSync, opendirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileBounds } from "../../base/bounds.ts";
import { directoriesUp } from "../../base/paths.ts";

export type CheckDirectory = {
  /** The names of its files and directories. */
  names: ReadonlySet<string>;
  /** The text of a regular file; empty if there is none. */
  read(name: string): string;
  /** Whether the name exists here or in a parent directory within the workspace. */
  isAbove(name: string): boolean;
};

const largestFile = fileBounds.configuration.most;
/** Entries of a directory searched for a project's checks. */
const mostEntries = 2000;

/** `workspace` and `directory` are absolute and real. */
export function placeAt(workspace: string, directory: string): CheckDirectory {
  const above = directoriesUp(workspace, directory).slice(1);
  const names = namesIn(directory);
  return {
    names,
    read: (name) => (names.has(name) ? textOf(join(directory, name)) : ""),
    isAbove: (name) => names.has(name) || above.some((one) => namesIn(one).has(name)),
  };
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
    // An unreadable directory counts as empty.
  }
  return names;
}

/** Refuses links, which could leave the workspace, and FIFOs, which would block. */
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
