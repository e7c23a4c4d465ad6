/** Why a file could not be used, in one line that says what happened. */

import { sizeInWords } from "../amounts.ts";
import { refuse } from "../expected.ts";
import { isObject } from "../json.ts";

/**
 * `code` is the system's (ENOENT, EACCES, EISDIR, …), EFBIG for "over the limit", ESTALE for "not the expected
 * content"; `message` is one line.
 */
export type FileProblem = { code: string; message: string };
export type FileResult<T> = { ok: true; value: T } | { ok: false; problem: FileProblem };

type FileOperation = "open" | "read" | "write" | "remove";

/** Thrown within safe-fs where the system's own error would say too little. */
export class FileError extends Error {
  override name = "FileError";
  readonly code: string;

  constructor(code: string, words: string) {
    super(words);
    this.code = code;
  }
}

/** Describes a failed file operation in one line. */
export function fileProblem(
  path: string,
  error: unknown,
  doing: FileOperation,
): { ok: false; problem: FileProblem } {
  const code = codeOf(error) ?? "EUNKNOWN";
  if (error instanceof FileError) return refuse({ code, message: error.message });
  return refuse({ code, message: `Cannot ${doing} ${shownPath(path)}: ${wordsOf(code)}` });
}

export function codeOf(error: unknown): string | undefined {
  return isObject(error) && typeof error["code"] === "string" ? error["code"] : undefined;
}

/** The path on one line and of limited length, whatever it holds. */
export function shownPath(path: string): string {
  const short = path.length > longestShown ? `${path.slice(0, longestShown)}…` : path;
  return short.replace(/[\p{Cc}\u2028\u2029]/gu, (odd) => JSON.stringify(odd).slice(1, -1));
}

const longestShown = 400;

/** The system's own message is not shown: it contains internal paths. */
const wordsOf = (code: string): string => known[code] ?? `the system refuses it (${code})`;

const known: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or directory",
  EACCES: "permission is denied",
  EPERM: "the operation is not permitted; it may be locked against changes, or not be yours",
  ENOSPC: "the disk is full; nothing was changed",
  EDQUOT: "the disk quota is used up; nothing was changed",
  EFBIG: "it is larger than a file may be here; nothing was changed",
  EROFS: "the file system is read-only",
  EISDIR: "it is a directory, not a file",
  ENOTDIR: "a part of the path is a file, not a directory",
  EEXIST: "a part of the path is a file, not a directory",
  ENOTEMPTY: "the directory is not empty",
  ELOOP: "a part of the path is a symbolic link",
  EMFILE: "too many files are open; try again",
  ENFILE: "too many files are open on this machine; try again",
  ENAMETOOLONG: "the name is too long",
  ENXIO: "it is a socket or device, not a file",
  EIO: "the disk reports an error",
  ETXTBSY: "it is a program that is running",
  EBUSY: "something else is using it",
};

/** The problem for something that is not a regular file, where one was expected. */
export function notRegular(path: string, kind: string): FileResult<never> {
  const shown = shownPath(path);
  if (kind === "a directory") return problem("EISDIR", `${shown} is a directory, not a file`);
  if (kind === "a symbolic link") return problem("ELOOP", `${shown} is a symbolic link, not a file`);
  return problem("ENXIO", `${shown} is ${kind}, not a regular file`);
}

type StatPredicates = Record<"isDirectory" | "isSymbolicLink" | "isFIFO" | "isSocket", () => boolean>;

export function kindInWords(stats: StatPredicates): string {
  if (stats.isDirectory()) return "a directory";
  if (stats.isSymbolicLink()) return "a symbolic link";
  return stats.isFIFO() ? "a FIFO" : stats.isSocket() ? "a socket" : "a device";
}

export function tooBig(path: string, size: number, limit: number): FileResult<never> {
  const sizes = `${sizeInWords(size)}, the limit is ${sizeInWords(limit)}`;
  return problem("EFBIG", `${shownPath(path)} is too large: ${sizes}`);
}

export function problem(code: string, message: string): FileResult<never> {
  return refuse({ code, message });
}
