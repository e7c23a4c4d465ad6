/**
 * Notes beside directories that are opened for a set of changes: a killed process leaves them open, and its note tells
 * how they stood.
 */

import { chmodSync, readlinkSync, symlinkSync, unlinkSync } from "node:fs";
import { livenessOf, ownIdentity } from "../process-identity.ts";
import { type PinnedDirectory, statusAt } from "./directory.ts";
import { isTemporaryOf, temporaryName } from "./temporary.ts";

/** Changing entries of a directory takes both write and search permission. */
const writable = 0o300;

export const isShutMode = (mode: number): boolean => (mode & writable) !== writable;

export const openMode = (mode: number): number => mode | 0o700;

/**
 * A link, because its text is there at once or not at all. Returns its name; undefined if nothing can be written beside
 * the directory.
 */
export function noteShut(parent: PinnedDirectory, name: string, mode: number): string | undefined {
  const note = temporaryName(name, "shut");
  const { pid, started, boot, space, host } = ownIdentity();
  try {
    symlinkSync([mode.toString(8), pid, started, boot, space, host].join(" "), parent.at(note));
    return note;
  } catch {
    return undefined;
  }
}

export const removeNote = (parent: PinnedDirectory, note: string): void => unlinkSync(parent.at(note));

/**
 * Shuts those of the directories again that a killed process left open, and returns its notes. Anybody may write such a
 * note, so it can only take away what opening would have given.
 */
export function shutAsNoted(
  parent: PinnedDirectory,
  names: ReadonlySet<string>,
  found: readonly string[],
): string[] {
  return found.filter((note) => {
    const name = note.endsWith(".shut")
      ? [...names].find((own) => isTemporaryOf(own, note, "shut"))
      : undefined;
    const mode = name === undefined ? undefined : modeIn(parent, note);
    if (name === undefined || mode === undefined) return false;
    const stats = statusAt(parent, name);
    if (stats?.isDirectory() && Number(stats.mode & 0o7777n) === openMode(mode))
      parent.pinned(name, (path) => chmodSync(path, mode));
    unlinkSync(parent.at(note));
    return true;
  });
}

/** Undefined unless the one who wrote the note is dead. */
function modeIn(parent: PinnedDirectory, note: string): number | undefined {
  if (!statusAt(parent, note)?.isSymbolicLink()) return undefined;
  const text = readlinkSync(parent.at(note));
  const [octal = "", pid, started = "", boot = "", space = "", ...host] = text.split(" ");
  const mode = /^[0-7]{1,4}$/u.test(octal) ? Number.parseInt(octal, 8) : 0o777;
  const by = { pid: Number(pid), started, boot, space, host: host.join(" ") };
  return isShutMode(mode) && Number.isSafeInteger(by.pid) && livenessOf(by) === "dead" ? mode : undefined;
}
