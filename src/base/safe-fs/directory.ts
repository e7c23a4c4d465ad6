/** Directories of a tree, each pinned so that names resolve in exactly this directory, wherever it is moved. */

import { type BigIntStats, closeSync, constants, lstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "./problems.ts";

/** The caller that entered a directory must close it. */
export type PinnedDirectory = {
  /** A path of the directory itself, for system calls. */
  readonly here: string;
  /** A path of this name in the directory, for system calls. */
  at(name: string): string;
  /** Opens a subdirectory; throws the system's error, ELOOP for a link. */
  enter(name: string): PinnedDirectory;
  /** Passes `use` a path to exactly the file or directory that has this name now; no link can be put in its place. */
  pinned<T>(name: string, use: (path: string) => T): T;
  close(): void;
};

/** Throws the system's error. */
export function openDirectory(root: string): PinnedDirectory {
  return pinByDescriptor(root) ?? pinByName(root);
}

/** Opens the directory that these names lead to, without following links. Throws the system's error. */
export function descend(from: PinnedDirectory, names: readonly string[]): PinnedDirectory {
  let directory = from.enter(".");
  for (const name of names) {
    const above = directory;
    try {
      directory = above.enter(name);
    } finally {
      above.close();
    }
  }
  return directory;
}

/** The status of the name; undefined if nothing exists. Throws the system's error. */
export function statusAt(directory: PinnedDirectory, name: string): BigIntStats | undefined {
  return lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false });
}

/**
 * O_PATH: Linux only, and missing from Node's constants. Needs no read permission and does not touch the opened file.
 */
const onlyThePath = 0x200000;

/** Pinned by a descriptor: `/proc/self/fd/N/name` is a name in the directory N itself, which nothing can replace. */
function pinByDescriptor(root: string): PinnedDirectory | undefined {
  if (process.platform !== "linux") return undefined;
  const directory = byDescriptor(openOnlyPath(root, constants.O_DIRECTORY));
  try {
    const [one, other] = [lstatSync(directory.at("."), { bigint: true }), lstatSync(root, { bigint: true })];
    if (one.ino === other.ino && one.dev === other.dev) return directory;
  } catch {
    // No /proc here.
  }
  directory.close();
  return undefined;
}

function byDescriptor(descriptor: number): PinnedDirectory {
  const here = `/proc/self/fd/${descriptor}`;
  const at = (name: string): string => `${here}/${name}`;
  return {
    here,
    at,
    enter: (name) => byDescriptor(linkTold(at(name), () => openOnlyPath(at(name), constants.O_DIRECTORY))),
    pinned(name, use) {
      const pin = openOnlyPath(at(name), 0);
      try {
        return use(`/proc/self/fd/${pin}`);
      } finally {
        closeSync(pin);
      }
    },
    close: () => closeSync(descriptor),
  };
}

function openOnlyPath(path: string, flags: number): number {
  return openSync(path, onlyThePath | constants.O_NOFOLLOW | flags);
}

/**
 * The fallback without /proc, pinned only by name: a link is refused if seen. An attacker who swaps a directory for a
 * link between check and use can redirect it, as Node offers no path for a descriptor.
 */
function pinByName(path: string): PinnedDirectory {
  const at = (name: string): string => join(path, name);
  return {
    here: path,
    at,
    enter: (name) =>
      linkTold(at(name), () => {
        if (!lstatSync(at(name)).isDirectory()) throw systemError("ENOTDIR");
        return pinByName(at(name));
      }),
    pinned(name, use) {
      if (lstatSync(at(name)).isSymbolicLink()) throw systemError("ELOOP");
      return use(at(name));
    },
    close: () => undefined,
  };
}

/** For a link the system reports ENOTDIR; people should be told that it is a link. */
function linkTold<T>(path: string, enter: () => T): T {
  try {
    return enter();
  } catch (error) {
    const isLink =
      codeOf(error) === "ENOTDIR" && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
    throw isLink ? systemError("ELOOP") : error;
  }
}

/** An error as the system would give it. */
export const systemError = (code: string): Error => Object.assign(new Error(code), { code });
