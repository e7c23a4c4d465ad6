/** Files, read and written so that odd ones (FIFOs, devices, huge ones) never hang and a failure never damages. */
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { randomHex } from "./crypto.ts";
import { isObject } from "./json.ts";
import { sizeInWords } from "./text.ts";

/** Why a file could not be used. `code` is the system's (ENOENT, EACCES, EISDIR, …) or EFBIG for "over the limit"; `message` is one line. */
export type FileProblem = { code: string; message: string };
export type FileResult<T> = { ok: true; value: T } | { ok: false; problem: FileProblem };

/** A part of a file: `bytes` begin at `offset`; `size` is that of the whole file. */
export type FileWindow = { bytes: Uint8Array; offset: number; size: number };

/** The whole of a regular file of at most `maxBytes`. A link in the last component is not followed. */
export async function readRegularFile(
  path: string,
  limit: { maxBytes: number },
): Promise<FileResult<Uint8Array>> {
  return withRegularFile(path, async (file, size) => {
    if (size > limit.maxBytes) return tooBig(path, size, limit.maxBytes);
    // Read to the end, not to `size`: files in some file systems say 0, and a file may grow meanwhile.
    const bytes = await readUpTo(file, { offset: 0, length: limit.maxBytes + 1, likely: size + 1 });
    if (bytes.length > limit.maxBytes) return tooBig(path, bytes.length, limit.maxBytes);
    return { ok: true, value: bytes };
  });
}

/** At most `length` bytes from `offset`, of a regular file of any size. */
export async function readWindow(
  path: string,
  window: { offset: number; length: number },
): Promise<FileResult<FileWindow>> {
  return withRegularFile(path, async (file, size) => {
    const bytes = await readUpTo(file, {
      ...window,
      likely: Math.min(window.length, Math.max(0, size - window.offset)),
    });
    return { ok: true, value: { bytes, offset: window.offset, size } };
  });
}

/**
 * Replaces or creates a file so that at any instant it has its old content or its new one, and makes its parent
 * directories. An existing file keeps its mode and owner; `mode` is for a new one. A file without any write permission
 * is refused, because a rename would replace it all the same.
 */
export async function writeAtomically(
  path: string,
  bytes: Uint8Array,
  mode = 0o666,
): Promise<FileResult<void>> {
  const directory = dirname(path);
  const temporary = join(directory, temporaryName(path));
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

/** Removes a file or a link (not what it points to). Directories are refused. */
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
 * Makes a directory and what is missing above it; throws the system's error. Node's own `recursive` says ENOENT of a
 * read-only file system, and never comes to an end below /proc.
 */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  const missing: string[] = [];
  let place = path;
  for (; (await kindOf(place)) === "missing"; place = dirname(place)) missing.push(place);
  if ((await kindOf(place)) !== "directory") await mkdir(place); // its error says what is in the way
  for (const each of missing.toReversed()) {
    await mkdir(each, { mode }).catch(async (error: unknown) => {
      if ((await kindOf(each)) !== "directory") throw error; // else another process was quicker
    });
  }
}

async function kindOf(path: string): Promise<"directory" | "other" | "missing"> {
  try {
    return (await stat(path)).isDirectory() ? "directory" : "other";
  } catch (error) {
    if (isObject(error) && error["code"] === "ENOENT") return "missing";
    throw error;
  }
}

/** One line about a failed file operation. */
export function fileProblem(
  path: string,
  error: unknown,
  doing: "read" | "write" | "remove",
): { ok: false; problem: FileProblem } {
  const code = isObject(error) && typeof error["code"] === "string" ? error["code"] : "EUNKNOWN";
  const words = known[code] ?? (error instanceof Error ? error.message.split("\n")[0] : String(error));
  return { ok: false, problem: { code, message: `Cannot ${doing} ${path}: ${words}` } };
}

const known: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or directory",
  EACCES: "permission is denied",
  EPERM: "the operation is not permitted",
  ENOSPC: "the disk is full; nothing was changed",
  EDQUOT: "the disk quota is used up; nothing was changed",
  EFBIG: "it is larger than a file may be here; nothing was changed",
  EROFS: "the file system is read-only",
  EISDIR: "it is a directory, not a file",
  ENOTDIR: "a part of the path is a file, not a directory",
  EEXIST: "a part of the path is a file, not a directory",
  ELOOP: "it is a symbolic link",
  EMFILE: "too many files are open; try again",
  ENFILE: "too many files are open on this machine; try again",
  ENAMETOOLONG: "the name is too long",
  ENXIO: "it is a socket or device, not a file",
};

async function withRegularFile<T>(
  path: string,
  use: (file: FileHandle, size: number) => Promise<FileResult<T>>,
): Promise<FileResult<T>> {
  let file: FileHandle | undefined;
  try {
    // Without O_NONBLOCK a FIFO blocks a thread of the pool for ever, and four of them every file operation.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stats = await file.stat();
    if (!stats.isFile()) return notRegular(path, stats);
    return await use(file, stats.size);
  } catch (error) {
    return fileProblem(path, error, "read");
  } finally {
    await file?.close();
  }
}

async function readUpTo(
  file: FileHandle,
  { offset, length, likely }: { offset: number; length: number; likely: number },
): Promise<Uint8Array> {
  let buffer = new Uint8Array(Math.max(1, Math.min(length, likely)));
  let filled = 0;
  while (filled < length) {
    if (filled === buffer.length) buffer = grown(buffer, length);
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function grown(buffer: Uint8Array, most: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(most, Math.max(65_536, buffer.length * 2)));
  larger.set(buffer);
  return larger;
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isObject(error) && error["code"] === "ENOENT") return undefined;
    throw error;
  }
}

function whyNotReplace(path: string, old: Stats): FileResult<never> | undefined {
  if (!old.isFile()) return notRegular(path, old);
  if ((old.mode & 0o222) !== 0) return undefined;
  return problem("EACCES", `Cannot write ${path}: the file is read-only; make it writable first`);
}

/** Writes all of a new file and makes it durable, with the mode and owner of the `old` one if there is one. */
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
      // Only root may give a file away; for others it stays theirs. Before chmod, which it would undo in part.
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

function temporaryName(path: string): string {
  // A name may have 255 bytes; a character at most 3 per UTF-16 unit.
  return `.${basename(path).slice(0, 60)}.${randomHex(6)}.tmp`;
}

function notRegular(path: string, stats: Stats): FileResult<never> {
  if (stats.isDirectory()) return problem("EISDIR", `${path} is a directory, not a file`);
  if (stats.isSymbolicLink()) return problem("ELOOP", `${path} is a symbolic link, not a file`);
  const kind = stats.isFIFO() ? "a FIFO" : stats.isSocket() ? "a socket" : "a device";
  return problem("ENXIO", `${path} is ${kind}, not a regular file`);
}

function tooBig(path: string, size: number, limit: number): FileResult<never> {
  return problem("EFBIG", `${path} is too large: ${sizeInWords(size)}, the limit is ${sizeInWords(limit)}`);
}

function problem(code: string, message: string): FileResult<never> {
  return { ok: false, problem: { code, message } };
}
