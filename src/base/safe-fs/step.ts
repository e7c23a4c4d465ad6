/** One change on its way to the disk: where it happens, what was found there, and what is staged for it. */

import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  openSync,
  readlinkSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { sha256 } from "../crypto.ts";
import { type PinnedDirectory, statusAt } from "./directory.ts";
import type { Change, Image } from "./image.ts";
import { hashOfOpen, syncOpen, writeOpen } from "./open-file.ts";
import { codeOf, FileError, shownPath } from "./problems.ts";
import { kindOf, signatureOf } from "./status.ts";
import { temporaryName } from "./temporary.ts";

export type ChangeStep = {
  change: Change;
  /** The names of the directories above it. */
  above: readonly string[];
  name: string;
  /** How many names of `above` are directories now; the temporary file is placed in the last of them. */
  standing: number;
  /** How many names of `above` are directories that stay; removed files wait in the last of them until all is done. */
  refuge: number;
  /** A directory that is created only because something below it needs it. */
  implied: boolean;
  /** The status of what existed there before; undefined if nothing did. */
  seen: BigIntStats | undefined;
  /** The name of the temporary file that will take its place. */
  ready: string | undefined;
  /** Set for a directory that changes inside and must end up read-only: a step at the end sets its mode. */
  closes?: "later" | "now";
  /** The mode of a directory before it was made writable for the changes. */
  opened?: number;
};

type StagedFile = { seen: BigIntStats | undefined; ready: string | undefined };

/** Checks that the current state is as expected and stages the new one. Throws without leaving anything behind. */
export async function stage(
  { change, name, implied, closes, opened }: ChangeStep,
  { parent, standing }: { parent: PinnedDirectory | undefined; standing: PinnedDirectory },
  durable: boolean,
): Promise<StagedFile> {
  if (implied || closes === "now") return { seen: undefined, ready: undefined };
  const seen = parent ? await expectAt(parent, name, { change, opened }) : expectNothing(change);
  if (!needsTemporary(change, seen)) return { seen, ready: undefined };
  return { seen, ready: await makeReady(standing, name, { change, seen, durable }) };
}

/** Unchanged content needs no new file, unless the file has other names, whose mode must not change with it. */
export function staysInPlace({ before, after }: Change, seen: BigIntStats | undefined): boolean {
  if (before?.kind !== "file" || after?.kind !== "file") return false;
  if (before.content.hash !== after.content.hash) return false;
  return after.mode === undefined || Number(seen?.mode ?? 0) % 0o10000 === after.mode || seen?.nlink === 1n;
}

function needsTemporary(change: Change, seen: BigIntStats | undefined): boolean {
  const kind = change.after?.kind;
  return (kind === "file" || kind === "link") && !staysInPlace(change, seen);
}

function expectNothing(change: Change): undefined {
  if (change.before !== null) throw stale(change.path);
  return undefined;
}

type ExpectedState = { change: Change; opened: number | undefined };

/** The current status, if it is the state that the change was planned for. */
async function expectAt(
  directory: PinnedDirectory,
  name: string,
  expected: ExpectedState,
): Promise<BigIntStats | undefined> {
  const { change } = expected;
  try {
    return await checkFound(directory, name, expected);
  } catch (error) {
    const isGone = ["ENOENT", "ELOOP", "ENXIO", "EINVAL"].includes(codeOf(error) ?? "");
    throw isGone ? stale(change.path) : error;
  }
}

async function checkFound(
  directory: PinnedDirectory,
  name: string,
  { change: { path, before }, opened }: ExpectedState,
): Promise<BigIntStats | undefined> {
  const seen = statusAt(directory, name);
  if (before === null || seen === undefined) {
    if (before !== null || seen !== undefined) throw stale(path);
    return undefined;
  }
  if (kindOf(seen) !== before.kind) throw stale(path);
  if (before.kind === "link") {
    if (readlinkSync(directory.at(name)) !== before.target) throw stale(path);
    return seen;
  }
  const mode = opened ?? Number(seen.mode & 0o7777n);
  if (before.mode !== undefined && before.mode !== mode) throw stale(path);
  if (before.kind === "file" && !(await holds(directory.at(name), before, seen))) throw stale(path);
  return seen;
}

/** Whether the file has this content, and is still the same file after it was read. */
async function holds(
  path: string,
  { content }: Extract<Image, { kind: "file" }>,
  seen: BigIntStats,
): Promise<boolean> {
  if (BigInt(content.size) !== seen.size) return false;
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if ((await hashOfOpen(file, content.size)) !== content.hash) return false;
    return signatureOf(fstatSync(file, { bigint: true })) === signatureOf(seen);
  } finally {
    closeSync(file);
  }
}

type FilePreparation = { change: Change; seen: BigIntStats | undefined; durable: boolean };

async function makeReady(directory: PinnedDirectory, name: string, making: FilePreparation): Promise<string> {
  const { after, path } = making.change;
  const temporary = temporaryName(name);
  if (after?.kind === "link") {
    symlinkSync(after.target, directory.at(temporary));
    return temporary;
  }
  if (after?.kind !== "file") throw new Error("only files and links are made ready");
  const bytes = await after.content.read();
  if (bytes.length !== after.content.size || sha256(bytes) !== after.content.hash)
    throw new FileError(
      "EIO",
      `The new content of ${shownPath(path)} is damaged where it was kept; nothing was written`,
    );
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = openSync(directory.at(temporary), flags, firstMode(making));
  try {
    await writeOpen(file, bytes);
    giveOver(file, after.mode, making.seen);
    if (making.durable) await syncOpen(file);
  } catch (error) {
    discard(directory, temporary);
    throw error;
  } finally {
    closeSync(file);
  }
  return temporary;
}

/** A new file without an explicit mode gets the umask's default; any other mode is set once the content is written. */
const firstMode = ({ change, seen }: FilePreparation): number =>
  seen?.isFile() || (change.after?.kind === "file" && change.after.mode !== undefined) ? 0o600 : 0o666;

const setIds = 0o6000;

/** Restores owner and mode; set-user-ID and set-group-ID bits only on request. */
function giveOver(file: number, wanted: number | undefined, seen: BigIntStats | undefined): void {
  const old = seen?.isFile() ? seen : undefined;
  const lent = old && !isGivenTo(file, old) ? 0 : (wanted ?? 0) & setIds;
  const mode = wanted ?? (old ? Number(old.mode & 0o7777n) : undefined);
  if (mode !== undefined) fchmodSync(file, (mode & ~setIds) | lent);
}

/** Called before the mode is set, because chown resets some mode bits. */
function isGivenTo(file: number, { uid, gid }: BigIntStats): boolean {
  const mine = fstatSync(file, { bigint: true });
  if (mine.uid === uid && mine.gid === gid) return true;
  try {
    fchownSync(file, Number(uid), Number(gid));
    return true;
  } catch {
    // Only root may change the owner; otherwise it stays the user's.
    return false;
  }
}

/** Removes a temporary file if possible: another failure is already being reported. */
export function discard(directory: PinnedDirectory, name: string): void {
  try {
    unlinkSync(directory.at(name));
  } catch {
    // It is gone, or the disk is.
  }
}

export const stale = (path: string): FileError =>
  new FileError(
    "ESTALE",
    `${shownPath(path)} has changed since this was planned; nothing was written. Read it again and repeat the change`,
  );
