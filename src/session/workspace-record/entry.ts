/** A path's file-system metadata, and whether anything about it may have changed. */

import { type BigIntStats, lstatSync } from "node:fs";
import type { FileStatus } from "../../base/safe-fs/tree.ts";

export type ScanEntry = {
  kind: FileStatus["kind"];
  /** Permission bits. */
  mode: number;
  size: number;
  inode: bigint;
  /** Nanoseconds since 1970: last change of the content, and of any metadata. */
  modified: bigint;
  changed: bigint;
  /** Creation time; the time of the last change if the file system does not record it. */
  born: bigint;
};

/** Undefined if nothing exists; links are not followed. Anything but a file, directory or link is "other". */
export function lookAt(path: string | Buffer): ScanEntry | undefined {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && entryOf(stats);
  } catch {
    return untold;
  }
}

const untold: ScanEntry = { kind: "other", mode: 0, size: 0, inode: 0n, modified: 0n, changed: 0n, born: 0n };

function entryOf(stats: BigIntStats): ScanEntry {
  const kind = kindOf(stats);
  const mode = Number(stats.mode & 0o7777n);
  // A FIFO's times change with use; they do not mean that it was replaced.
  if (kind === "other") return { ...untold, mode, inode: stats.ino };
  const { size, ino: inode, mtimeNs: modified, ctimeNs: changed, birthtimeNs: born } = stats;
  return { kind, mode, size: Number(size), inode, modified, changed, born };
}

function kindOf(stats: BigIntStats): ScanEntry["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "link" : "other";
}

/** False as soon as content, mode or identity may differ. */
export function isUntouched(one: ScanEntry | undefined, other: ScanEntry | undefined): boolean {
  if (!one || !other) return one === other;
  return isSameContent(one, other) && one.changed === other.changed && one.mode === other.mode;
}

/** The very same file with the very same content, at any path. */
export const isSameContent = (one: ScanEntry, other: ScanEntry): boolean =>
  one.kind === other.kind &&
  one.inode === other.inode &&
  one.size === other.size &&
  one.modified === other.modified;

/** Whether a directory may be the same one, at any path. If in doubt, true. */
export const mayBeMoved = (before: ScanEntry, now: ScanEntry): boolean =>
  before.kind === "directory" &&
  before.inode === now.inode &&
  (before.born === now.born || before.born === before.changed);
