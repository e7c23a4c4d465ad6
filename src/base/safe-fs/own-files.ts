/**
 * Reads and writes files outside trees: odd ones (FIFOs, devices, huge ones) never hang, and a failure never damages
 * one.
 */

import { closeSync, constants, mkdirSync, openSync, type Stats, statSync } from "node:fs";
import { lstat, mkdir, open, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf, type FileResult, fileProblem, kindInWords, notRegular, problem } from "./problems.ts";
import { type FileWindow, readPart, readWhole } from "./reading.ts";
import { temporaryName } from "./temporary.ts";

export { type FileProblem, type FileResult, fileProblem } from "./problems.ts";
export type { FileWindow } from "./reading.ts";

/** Reads a whole regular file of at most `maxBytes`. A link in the last component is not followed. */
export function readRegularFile(path: string, limit: { maxBytes: number }): Promise<FileResult<Uint8Array>> {
  return readWhole({ path, shown: path }, limit);
}

/** Reads at most `length` bytes from `offset`, of a regular file of any size. */
export function readWindow(
  path: string,
  window: { offset: number; length: number },
): Promise<FileResult<FileWindow>> {
  return readPart({ path, shown: path }, window);
}

/**
 * Replaces or creates a file, and its parent directories, so that at any instant it has its old or its new content. An
 * existing file keeps its mode and owner; `mode` is for a new one. A file without any write permission is refused,
 * because a rename would replace it all the same.
 */
export async function writeAtomically(
  path: string,
  bytes: Uint8Array,
  mode = 0o666,
): Promise<FileResult<void>> {
  const directory = dirname(path);
  const temporary = join(directory, temporaryName(basename(path)));
  try {
    await makeDirectory(directory);
    const old = await statOf(path);
    const refusal = old && whyNotReplace(path, old);
    if (refusal) return refusal;
    await writeNew(temporary, { bytes, mode, old });
    await rename(temporary, path);
    await syncDirectory(directory);
    return { ok: true, value: undefined };
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    return fileProblem(path, error, "write");
  }
}

/** Removes a file or a link (not its target). Directories are refused. */
export async function removeFile(path: string): Promise<FileResult<void>> {
  try {
    if ((await lstat(path)).isDirectory()) return problem("EISDIR", `${path} is a directory, not a file`);
    await unlink(path);
    await syncDirectory(dirname(path));
    return { ok: true, value: undefined };
  } catch (error) {
    return fileProblem(path, error, "remove");
  }
}

/**
 * Creates a directory and its missing parents; throws the system's error. Node's own `recursive` reports ENOENT for a
 * read-only file system, and never returns below /proc.
 */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  if (isDirectory(path)) return; // without the thread pool, which a start needs for nothing else
  const missing: string[] = [];
  let place = path;
  for (; (await kindOf(place)) === "missing"; place = dirname(place)) missing.push(place);
  if ((await kindOf(place)) !== "directory") await mkdir(place); // the error of mkdir names the obstacle
  for (const each of missing.toReversed()) {
    await mkdir(each, { mode }).catch(async (error: unknown) => {
      if ((await kindOf(each)) !== "directory") throw error; // otherwise another process was faster
    });
  }
}

/** Synchronous `makeDirectory`; an existing directory costs a single check. */
export function makeDirectorySync(path: string, mode = 0o777): void {
  if (isDirectory(path)) return;
  if (dirname(path) !== path) makeDirectorySync(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!isDirectory(path)) throw error; // otherwise another process was faster
  }
}

/** Creates an empty file, with its directories, that only this user can read and write; an existing one is kept. */
export function createPrivateFile(path: string): void {
  makeDirectorySync(dirname(path), 0o700);
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

async function kindOf(path: string): Promise<"directory" | "other" | "missing"> {
  try {
    return (await stat(path)).isDirectory() ? "directory" : "other";
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "missing";
    throw error;
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function whyNotReplace(path: string, old: Stats): FileResult<never> | undefined {
  if (!old.isFile()) return notRegular(path, kindInWords(old));
  if ((old.mode & 0o222) !== 0) return undefined;
  return problem("EACCES", `Cannot write ${path}: the file is read-only; make it writable first`);
}

/** Writes a new file completely and durably, with the mode and owner of the `old` one if there is one. */
async function writeNew(
  path: string,
  { bytes, mode, old }: { bytes: Uint8Array; mode: number; old: Stats | undefined },
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(path, flags, old ? 0o600 : mode);
  try {
    await file.writeFile(bytes);
    if (old) {
      const mine = await file.stat();
      // Only root may change the owner; otherwise it stays the user's. Before chmod, because chown resets some mode
      // bits.
      if (mine.uid !== old.uid || mine.gid !== old.gid)
        await file.chown(old.uid, old.gid).catch(() => undefined);
      await file.chmod(old.mode & 0o7777);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename or removal durable, where directories can be synced. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY).catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}
