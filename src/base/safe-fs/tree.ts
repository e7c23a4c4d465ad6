/** A directory tree whose files are reached from its own descriptor, component by component: no path leaves it. */

import type { Change, Image } from "./image.ts";
import type { FileResult } from "./problems.ts";
import type { FileWindow } from "./reading.ts";

/** `size` in bytes; `mode`: permission bits; `links`: number of hard links; `identity`: "device:inode". */
export type FileStatus = {
  kind: "file" | "directory" | "link" | "other";
  size: number;
  mode: number;
  links: number;
  identity: string;
  /** Changes whenever content, mode or identity may have changed: inode, size, and both times to the nanosecond. */
  signature: string;
};

/** `size`: of files only, if requested. */
export type TreeEntry = { name: string; kind: FileStatus["kind"]; size?: number };

/**
 * Paths are relative to the root, with forward slashes, "." for the root itself, and plain: no "..", no empty
 * component, no NUL. No link is followed, neither on the way nor at the end: a link that has appeared there gives
 * ELOOP. FIFOs, devices and sockets give ENXIO at once. @experimental
 */
export type Tree = {
  /** Absolute and without symlinks, as of opening. */
  readonly root: string;
  /** `null`: nothing exists there. */
  look(path: string): Promise<FileResult<FileStatus | null>>;
  /** A regular file of at most `maxBytes`. */
  read(path: string, limit: { maxBytes: number }): Promise<FileResult<Uint8Array>>;
  /** At most `length` bytes from `offset`, of a regular file of any size. */
  window(path: string, window: { offset: number; length: number }): Promise<FileResult<FileWindow>>;
  /** In no particular order. */
  list(path: string, options?: { sizes?: boolean }): Promise<FileResult<TreeEntry[]>>;
  /**
   * What exists there now, with its content; `null`: nothing. EFBIG over the limit, ENXIO for anything but a file, link
   * or directory.
   */
  image(path: string, limit: { maxBytes: number }): Promise<FileResult<Image | null>>;
  /**
   * Compare and swap: replaces `before` by `after` atomically. ESTALE if the current state is not `before`. Missing
   * parent directories are created. An `after` without a mode keeps the mode of the existing file.
   */
  put(change: Change, options?: { durable?: boolean }): Promise<FileResult<void>>;
  /** `put` for several changes, all or none. Returns what was made, in order: the changes, and missing parents. */
  putAll(changes: readonly Change[], options?: ApplyOptions): Promise<FileResult<Change[]>>;
  /** Removes temporary files that a killed process left beside these paths, and returns their paths. */
  removeLeftovers(paths: readonly string[]): Promise<FileResult<string[]>>;
  /** Runs `work` while no other `put` on these paths can run, in any process of this user. */
  locked<T>(paths: readonly string[], work: () => Promise<T>): Promise<T>;
  close(): void;
};

export type ApplyOptions = {
  /** Called right before the first write: `false` (the turn was interrupted, the session lost) writes nothing. */
  stillCurrent?: () => boolean | Promise<boolean>;
  /** Makes read-only directories writable temporarily, to restore their content. */
  evenIfShut?: boolean;
  /** Whether the written files survive a power loss; default: up to 200 changes. */
  durable?: boolean;
};
