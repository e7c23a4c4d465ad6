/** Directories of a tree, each held so that names in it mean names in exactly this directory, wherever it is moved. */

import { type BigIntStats, closeSync, constants, lstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "./problems.ts";

/** To be closed by whoever entered it. */
export type Directory = {
  /** The directory itself, for the system. */
  readonly here: string;
  /** What the directory has under this name, for the system. */
  at(name: string): string;
  /** A directory in it; throws the system's error, ELOOP for a link. */
  enter(name: string): Directory;
  /** Gives `use` a path at which exactly the file or directory of this name is, which no link can take the place of. */
  pinned<T>(name: string, use: (path: string) => T): T;
  close(): void;
};

/** Throws the system's error. */
export function openDirectory(root: string): Directory {
  return held(root) ?? named(root);
}

/** The directory that these names lead to, without following a link. Throws the system's error. */
export function descend(from: Directory, names: readonly string[]): Directory {
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

/** What stands there; undefined: nothing. Throws the system's error. */
export function statusAt(directory: Directory, name: string): BigIntStats | undefined {
  return lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false });
}

/** Linux only, and missing in Node's list: no right to read is needed, and nothing happens to what is opened. */
const onlyThePath = 0x200000;

/** Held by a descriptor: `/proc/self/fd/N/name` is a name in what N is, and no other directory can take its place. */
function held(root: string): Directory | undefined {
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

function byDescriptor(descriptor: number): Directory {
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
 * Held by its name, where there is no /proc: links are refused when they are seen. Whoever swaps a directory for a
 * link between that look and the use of the name can lead it elsewhere: Node has no way to name what a descriptor is.
 */
function named(path: string): Directory {
  const at = (name: string): string => join(path, name);
  return {
    here: path,
    at,
    enter: (name) =>
      linkTold(at(name), () => {
        if (!lstatSync(at(name)).isDirectory()) throw coded("ENOTDIR");
        return named(at(name));
      }),
    pinned(name, use) {
      if (lstatSync(at(name)).isSymbolicLink()) throw coded("ELOOP");
      return use(at(name));
    },
    close: () => undefined,
  };
}

/** The system calls a link no directory; people should be told what is in the way. */
function linkTold<T>(path: string, enter: () => T): T {
  try {
    return enter();
  } catch (error) {
    const isLink =
      codeOf(error) === "ENOTDIR" && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
    throw isLink ? coded("ELOOP") : error;
  }
}

/** An error as the system would give it. */
export const coded = (code: string): Error => Object.assign(new Error(code), { code });
