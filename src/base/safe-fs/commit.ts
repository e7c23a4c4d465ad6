/** Commits one step: at any instant the old or the new state is on the disk; returns how to undo it. */

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
import { systemError, type PinnedDirectory, statusAt } from "./directory.ts";
import { modeOf } from "./image.ts";
import type { StepDirectories } from "./places.ts";
import { codeOf } from "./problems.ts";
import { identityOf, signatureOf } from "./status.ts";
import { discard, stale, staysInPlace, type ChangeStep } from "./step.ts";
import { temporaryName } from "./temporary.ts";

/**
 * `undo` restores the previous state, and throws if it cannot; until then `aside` is its temporary name in the refuge.
 */
export type CommitResult = { undo: (where: StepDirectories) => void; aside?: string; nothing?: true };

/** `last`: no later step can fail, so nothing is saved for an undo. */
type Now = StepDirectories & { last: boolean };

/** Synchronous from the final check to the rename, to keep the race window minimal. Throws. */
export function commit(step: ChangeStep, where: Now): CommitResult {
  const { change, name, seen } = step;
  const { parent } = where;
  const now = statusAt(parent, name);
  if (step.implied && now?.isDirectory()) return { undo: () => undefined, nothing: true };
  if (step.closes === "now") return closeDirectory(step, where, now);
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

/**
 * Of a directory only identity and mode are compared: its times change with its entries, which earlier steps may
 * remove.
 */
function isAsSeen(now: BigIntStats | undefined, seen: BigIntStats | undefined): boolean {
  if (now === undefined || seen === undefined) return now === seen;
  if (now.isDirectory()) return identityOf(now) === identityOf(seen) && now.mode === seen.mode;
  if (signatureOf(now) === signatureOf(seen)) return true;
  // Moving or removing another name of the same file, in this very set, changes its ctime.
  return (
    now.isFile() && seen.nlink > 1n && signatureOf({ ...now, ctimeNs: seen.ctimeNs }) === signatureOf(seen)
  );
}

function changeMode({ change, name, seen }: ChangeStep, { parent }: Now): CommitResult {
  const [mode, old] = [modeOf(change.after), modeBits(seen)];
  if (mode === undefined || mode === old) return { undo: () => undefined };
  const set = (directory: PinnedDirectory, bits: number): void =>
    directory.pinned(name, (path) => {
      // A different file may have taken the name; its mode is not ours to change, as it may have names outside.
      const pinned = statSync(path, { bigint: true });
      if (!seen || identityOf(pinned) !== identityOf(seen)) throw stale(change.path);
      chmodSync(path, bits);
    });
  set(parent, mode);
  return { undo: (where) => set(where.parent, old) };
}

const modeBits = (stats: BigIntStats | undefined): number => Number((stats?.mode ?? 0n) & 0o7777n);

function remove({ name, seen }: ChangeStep, { parent, refuge, last }: Now): CommitResult {
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

function makeDirectory(step: ChangeStep, now: Now): CommitResult {
  const { change, name, seen } = step;
  const mode = modeOf(change.after);
  if (seen?.isDirectory()) return step.closes ? { undo: () => undefined } : changeMode(step, now);
  const aside = seen && moveAside(now.parent, name, now.refuge);
  const back = ({ parent, refuge }: StepDirectories): void => {
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

/** The closing step of a directory that an earlier step made or found. */
function closeDirectory(step: ChangeStep, where: Now, now: BigIntStats | undefined): CommitResult {
  if (!now?.isDirectory()) throw stale(step.change.path);
  return { ...changeMode({ ...step, seen: now }, where), nothing: true };
}

/** A merely implied directory may be in use by others by now; then it stays. */
function takeDirectoryOut(parent: PinnedDirectory, { name, implied }: ChangeStep): void {
  try {
    rmdirSync(parent.at(name));
  } catch (error) {
    if (!implied) throw error;
  }
}

function place(step: ChangeStep, now: Now): CommitResult {
  return step.seen === undefined || step.seen.isDirectory() ? placeNew(step, now) : replace(step, now);
}

/** Puts a file or link where nothing exists, or where an empty directory has to be removed first. */
function placeNew(step: ChangeStep, { parent, standing }: Now): CommitResult {
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

function replace(step: ChangeStep, { parent, standing, last }: Now): CommitResult {
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

function readyPath({ change, ready }: ChangeStep, standing: PinnedDirectory): string {
  if (ready === undefined || statusAt(standing, ready) === undefined) throw stale(change.path);
  return standing.at(ready);
}

/** Refuses to undo over content that someone else has put or written there since. */
function refuseOther(
  directory: PinnedDirectory,
  { name, change }: ChangeStep,
  placed: BigIntStats | undefined,
): void {
  if (!isAsSeen(statusAt(directory, name), placed)) throw stale(change.path);
}

/** Fails if the target exists, which a rename would overwrite. */
function moveNew(directory: PinnedDirectory, { from, to }: { from: string; to: string }): void {
  try {
    copyName(from, directory.at(to));
  } catch (error) {
    if (codeOf(error) === "EEXIST" || statusAt(directory, to)) throw systemError("EEXIST");
    if (!linksMissing.includes(codeOf(error) ?? "")) throw error;
    renameSync(from, directory.at(to));
    return;
  }
  unlinkSync(from);
}

/** Copies a symbolic link instead of linking it: not every system supports hard links to symbolic links. */
function copyName(from: string, to: string): void {
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else linkSync(from, to);
}

/** Errors from file systems without hard links, and for files that belong to other users. */
const linksMissing: readonly string[] = ["EPERM", "EACCES", "EMLINK", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

function moveAside(directory: PinnedDirectory, name: string, refuge: PinnedDirectory): string {
  const aside = temporaryName(name);
  renameSync(directory.at(name), refuge.at(aside));
  return aside;
}

/** Links the file to be replaced under a second name, so that an undo restores the very same file. */
function keepAside(directory: PinnedDirectory, { name, seen, change }: ChangeStep): string {
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

function makeWithMode(directory: PinnedDirectory, name: string, mode: number | undefined): void {
  mkdirSync(directory.at(name));
  // mkdir applies the umask to the mode; chmod does not.
  if (mode !== undefined) directory.pinned(name, (path) => chmodSync(path, mode));
}

function restoreDirectory(directory: PinnedDirectory, name: string, old: BigIntStats): void {
  mkdirSync(directory.at(name), { mode: 0o700 });
  directory.pinned(name, (path) => {
    try {
      chownSync(path, Number(old.uid), Number(old.gid));
    } catch {
      // Only root may restore another owner.
    }
    chmodSync(path, modeBits(old));
  });
}
