/** The moment of change: one step is made, at any instant the old or the new, and how it is taken back is told. */

import {
  type BigIntStats,
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { failpoint } from "../failpoint.ts";
import { coded, type Directory, statusAt } from "./directory.ts";
import { modeOf } from "./image.ts";
import type { Where } from "./places.ts";
import { codeOf } from "./problems.ts";
import { identityOf, signatureOf } from "./status.ts";
import { discard, stale, staysInPlace, type Step } from "./step.ts";
import { temporaryName } from "./temporary.ts";

/**
 * `undo` puts back what stood there, and throws where it cannot; `aside` is the name that keeps it in the refuge until
 * then.
 */
export type Committed = { undo: (where: Where) => void; aside?: string; nothing?: true };

/** `last`: no other step can fail after it, so nothing is kept for an undo. */
type Now = Where & { last: boolean };

/** Synchronous from the last look to the rename, so that as little as possible can happen in between. Throws. */
export function commit(step: Step, where: Now): Committed {
  const { change, name, seen } = step;
  const { parent } = where;
  const now = statusAt(parent, name);
  if (step.implied && now?.isDirectory()) return { undo: () => undefined, nothing: true };
  if (step.closes === "now") return shut(step, where, now);
  if (!isAsSeen(now, seen)) throw stale(change.path);
  failpoint("file-change");
  if (staysInPlace(change, seen)) return changeMode(step, where);
  switch (change.after?.kind) {
    case undefined:
      return remove(step, where);
    case "directory":
      return makeDirectory(step, where);
    default:
      return place(step, where);
  }
}

/** A directory changes with every name in it, which the steps before may have taken away. */
function isAsSeen(now: BigIntStats | undefined, seen: BigIntStats | undefined): boolean {
  if (now === undefined || seen === undefined) return now === seen;
  if (now.isDirectory()) return identityOf(now) === identityOf(seen) && now.mode === seen.mode;
  if (signatureOf(now) === signatureOf(seen)) return true;
  // Another name of the same file, which this very set has moved or taken away, changes the time of this one.
  return (
    now.isFile() && seen.nlink > 1n && signatureOf({ ...now, ctimeNs: seen.ctimeNs }) === signatureOf(seen)
  );
}

function changeMode({ change, name, seen }: Step, { parent }: Now): Committed {
  const [mode, old] = [modeOf(change.after), modeBits(seen)];
  if (mode === undefined || mode === old) return { undo: () => undefined };
  const set = (directory: Directory, bits: number): void =>
    directory.pinned(name, (path) => {
      // Another file that has taken the name may have names outside, whose mode is not ours to change.
      const pinned = statSync(path, { bigint: true });
      if (!seen || identityOf(pinned) !== identityOf(seen)) throw stale(change.path);
      chmodSync(path, bits);
    });
  set(parent, mode);
  return { undo: (where) => set(where.parent, old) };
}

const modeBits = (stats: BigIntStats | undefined): number => Number((stats?.mode ?? 0n) & 0o7777n);

function remove({ name, seen }: Step, { parent, refuge, last }: Now): Committed {
  if (seen === undefined) return { undo: () => undefined };
  if (seen.isDirectory()) {
    rmdirSync(parent.at(name));
    return { undo: (where) => restoreDirectory(where.parent, name, seen) };
  }
  if (last) {
    unlinkSync(parent.at(name));
    return { undo: () => undefined };
  }
  const aside = moveAside(parent, name, refuge);
  return { aside, undo: (where) => moveNew(where.parent, { from: where.refuge.at(aside), to: name }) };
}

function makeDirectory(step: Step, now: Now): Committed {
  const { change, name, seen } = step;
  const mode = modeOf(change.after);
  if (seen?.isDirectory()) return step.closes ? { undo: () => undefined } : changeMode(step, now);
  const aside = seen && moveAside(now.parent, name, now.refuge);
  const back = ({ parent, refuge }: Where): void => {
    if (aside !== undefined) moveNew(parent, { from: refuge.at(aside), to: name });
  };
  try {
    makeWithMode(now.parent, name, step.closes && mode !== undefined ? mode | 0o700 : mode);
  } catch (error) {
    back(now);
    throw codeOf(error) === "EEXIST" ? stale(change.path) : error;
  }
  return {
    ...(aside === undefined ? {} : { aside }),
    undo(where) {
      takeDirectoryOut(where.parent, step);
      back(where);
    },
  };
}

/** The last of its steps: it was made, or found, by one before. */
function shut(step: Step, where: Now, now: BigIntStats | undefined): Committed {
  if (!now?.isDirectory()) throw stale(step.change.path);
  return { ...changeMode({ ...step, seen: now }, where), nothing: true };
}

/** One that is only above something may have found other use meanwhile. */
function takeDirectoryOut(parent: Directory, { name, implied }: Step): void {
  try {
    rmdirSync(parent.at(name));
  } catch (error) {
    if (!implied) throw error;
  }
}

function place(step: Step, now: Now): Committed {
  return step.seen === undefined || step.seen.isDirectory() ? placeNew(step, now) : replace(step, now);
}

/** Where nothing stands, or a directory that has to go first. */
function placeNew(step: Step, { parent, standing }: Now): Committed {
  const { name, seen } = step;
  const from = readyPath(step, standing);
  if (seen) rmdirSync(parent.at(name));
  try {
    moveNew(parent, { from, to: name });
  } catch (error) {
    if (seen) restoreDirectory(parent, name, seen);
    throw codeOf(error) === "EEXIST" ? stale(step.change.path) : error;
  }
  const placed = statusAt(parent, name);
  return {
    undo(where) {
      refuseOther(where.parent, step, placed);
      unlinkSync(where.parent.at(name));
      if (seen) restoreDirectory(where.parent, name, seen);
    },
  };
}

function replace(step: Step, { parent, standing, last }: Now): Committed {
  const { name } = step;
  const from = readyPath(step, standing);
  const aside = last ? undefined : keepAside(parent, step);
  try {
    renameSync(from, parent.at(name));
  } catch (error) {
    if (aside !== undefined) discard(parent, aside);
    throw error;
  }
  if (aside === undefined) return { undo: () => undefined };
  const placed = statusAt(parent, name);
  return {
    aside,
    undo(where) {
      refuseOther(where.parent, step, placed);
      renameSync(where.parent.at(aside), where.parent.at(name));
    },
  };
}

function readyPath({ change, ready }: Step, standing: Directory): string {
  if (ready === undefined || statusAt(standing, ready) === undefined) throw stale(change.path);
  return standing.at(ready);
}

/** What somebody else has put or written there since is not taken away. */
function refuseOther(directory: Directory, { name, change }: Step, placed: BigIntStats | undefined): void {
  if (!isAsSeen(statusAt(directory, name), placed)) throw stale(change.path);
}

/** Fails where something stands already, as a rename would not. */
function moveNew(directory: Directory, { from, to }: { from: string; to: string }): void {
  try {
    copyName(from, directory.at(to));
  } catch (error) {
    if (codeOf(error) === "EEXIST" || statusAt(directory, to)) throw coded("EEXIST");
    if (!linksMissing.includes(codeOf(error) ?? "")) throw error;
    renameSync(from, directory.at(to));
    return;
  }
  unlinkSync(from);
}

/** Not every system gives a link itself a second name. */
function copyName(from: string, to: string): void {
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else linkSync(from, to);
}

/** What file systems without hard links say, and the system of files that belong to others. */
const linksMissing: readonly string[] = ["EPERM", "EACCES", "EMLINK", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

function moveAside(directory: Directory, name: string, refuge: Directory): string {
  const aside = temporaryName(name);
  renameSync(directory.at(name), refuge.at(aside));
  return aside;
}

/** A second name for what is going to be replaced, so that an undo brings back the very same file. */
function keepAside(directory: Directory, { name, seen, change }: Step): string {
  const aside = temporaryName(name);
  try {
    copyName(directory.at(name), directory.at(aside));
  } catch (error) {
    if (!linksMissing.includes(codeOf(error) ?? "")) throw error;
    directory.pinned(name, (path) => {
      const stats = statSync(path, { bigint: true });
      if (!seen || signatureOf(stats) !== signatureOf(seen)) throw stale(change.path);
      copyFileSync(path, directory.at(aside), constants.COPYFILE_EXCL);
    });
  }
  return aside;
}

function makeWithMode(directory: Directory, name: string, mode: number | undefined): void {
  mkdirSync(directory.at(name));
  // The system leaves out of the mode what its user does not want new directories to have.
  if (mode !== undefined) directory.pinned(name, (path) => chmodSync(path, mode));
}

function restoreDirectory(directory: Directory, name: string, old: BigIntStats): void {
  mkdirSync(directory.at(name), { mode: 0o700 });
  directory.pinned(name, (path) => {
    try {
      chownSync(path, Number(old.uid), Number(old.gid));
    } catch {
      // Only root may give it back to somebody else.
    }
    chmodSync(path, modeBits(old));
  });
}
