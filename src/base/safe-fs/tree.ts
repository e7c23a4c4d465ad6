/**
 * A directory tree whose files are reached from its own descriptor, component by component, so that nothing leads out
 * of it.
 */

import type { Change, Image } from "./image.ts";
import type { FileResult } from "./problems.ts";
import type { FileWindow } from "./reading.ts";

/** `size` in bytes; `mode`: permission bits; `links`: names that this file has; `identity`: "device:inode". */
export type Status = {
  kind: "file" | "directory" | "link" | "other";
  size: number;
  mode: number;
  links: number;
  identity: string;
  /** Differs as soon as the content, mode or identity may differ: inode, size, and both times to the nanosecond. */
  signature: string;
};

/** `size`: of files, when it was asked for. */
export type Listed = { name: string; kind: Status["kind"]; size?: number };

/**
 * Paths are relative to the root, with forward slashes, "." for the root itself, and plain: no "..", no empty
 * component, no NUL. No link is followed on the way or at the end: where one stands now that did not before, the
 * result is ELOOP. FIFOs, devices and sockets are ENXIO at once.
 */
export type Tree = {
  /** Absolute and real, when it was opened. */
  readonly root: string;
  /** `null`: there is nothing. */
  look(path: string): Promise<FileResult<Status | null>>;
  /** A regular file of at most `maxBytes`. */
  read(path: string, limit: { maxBytes: number }): Promise<FileResult<Uint8Array>>;
  /** At most `length` bytes from `offset`, of a regular file of any size. */
  window(path: string, window: { offset: number; length: number }): Promise<FileResult<FileWindow>>;
  /** In no order. */
  list(path: string, options?: { sizes?: boolean }): Promise<FileResult<Listed[]>>;
  /**
   * What stands there now, its content read; `null`: nothing. EFBIG over the limit, ENXIO for what is no file, link or
   * directory.
   */
  image(path: string, limit: { maxBytes: number }): Promise<FileResult<Image | null>>;
  /**
   * Compare and swap: puts `after` where `before` stands, at any instant one or the other. ESTALE when something else
   * stands there. Missing directories above it are made. An `after` without a mode keeps that of the file there.
   */
  put(change: Change, options?: { durable?: boolean }): Promise<FileResult<void>>;
  /**
   * `put` of several, all or none. What was made, in its order: these changes, and the directories missing above them.
   */
  putAll(changes: readonly Change[], options?: ApplyOptions): Promise<FileResult<Change[]>>;
  /** Removes temporary files that a process left beside these paths when it was killed; the paths of those removed. */
  removeLeftovers(paths: readonly string[]): Promise<FileResult<string[]>>;
  /** Runs `work` while no other put on these paths can run, in this process or another of this user. */
  locked<T>(paths: readonly string[], work: () => Promise<T>): Promise<T>;
  close(): void;
};

export type ApplyOptions = {
  /** Asked last, right before the first write: `false` (the turn was interrupted, the session lost) writes nothing. */
  stillCurrent?: () => boolean | Promise<boolean>;
  /**
   * Directories that their owner may not write in are opened for the moment: what is put there was there, or made
   * there.
   */
  evenIfShut?: boolean;
  /** Whether what was written survives a loss of power; default: up to 200 changes. */
  durable?: boolean;
};
