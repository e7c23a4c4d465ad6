/** Accesses a directory tree from its root, component by component: follows no link, and no path is too long. */

import { type BigIntStats, closeSync, constants, lstatSync, openSync, readdirSync, readSync } from "node:fs";
import { attempt } from "../../../base/expected.ts";
import { kindOf } from "../../../base/safe-fs/status.ts";
import type { FileStatus } from "../../../base/safe-fs/tree.ts";
import { type BytePath, bytesOf } from "./byte-path.ts";

export type ListedKind = FileStatus["kind"] | "character";
type ListedEntry = { name: BytePath; kind: ListedKind };

export type RootedTree = {
  /** As it was opened. */
  root: string;
  /**
   * A path for one system call on the entry, via its directory's descriptor. Undefined if the parent is no directory.
   */
  at(path: BytePath): Buffer | undefined;
  /** Undefined if nothing exists there. */
  stat(path: BytePath): BigIntStats | undefined;
  /** Undefined if it is no directory or may not be read. */
  list(path: BytePath): ListedEntry[] | undefined;
  close(): void;
};

/** O_PATH: opens an entry without read permission. Node has no constant for it. */
export const onlyPlace = 0o10_000_000;

const directoryFlags = onlyPlace | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** The root itself may be reached through links. Keeps the directories along the last path open. */
export function openRooted(root: string): RootedTree {
  const rootDescriptor = openSync(root, onlyPlace | constants.O_DIRECTORY);
  const way: { name: BytePath; descriptor: number }[] = [];
  const leave = (depth: number): void => {
    for (const { descriptor } of way.splice(depth)) closeSync(descriptor);
  };
  const descriptorOf = (path: BytePath): number | undefined => {
    const names = path === "" ? [] : path.split("/");
    const shared = names.findIndex((name, at) => way[at]?.name !== name);
    leave(shared === -1 ? names.length : shared);
    for (const name of names.slice(way.length)) {
      const descriptor = openDirectory(below(way.at(-1)?.descriptor ?? rootDescriptor, name));
      if (descriptor === undefined) return undefined;
      way.push({ name, descriptor });
    }
    return way.at(-1)?.descriptor ?? rootDescriptor;
  };
  const at = (path: BytePath): Buffer | undefined => {
    const cut = path.lastIndexOf("/");
    const directory = descriptorOf(cut < 0 ? "" : path.slice(0, cut));
    return directory === undefined ? undefined : below(directory, path.slice(cut + 1));
  };
  return {
    root,
    at,
    stat: (path) => lookAt(at(path)),
    list(path) {
      const directory = descriptorOf(path);
      return directory === undefined ? undefined : listOf(below(directory, ""));
    },
    close() {
      leave(0);
      closeSync(rootDescriptor);
    },
  };
}

const below = (descriptor: number, name: BytePath): Buffer => bytesOf(`/proc/self/fd/${descriptor}/${name}`);

const openDirectory = (place: Buffer): number | undefined => attempt(() => openSync(place, directoryFlags));

/** Undefined, too, if its directory may not be searched. */
const lookAt = (place: Buffer | undefined): BigIntStats | undefined =>
  attempt(() => place && lstatSync(place, { bigint: true, throwIfNoEntry: false }));

const listOf = (place: Buffer): ListedEntry[] | undefined =>
  attempt(() => readdirSync(place, { withFileTypes: true, encoding: "latin1" }))?.map(
    (entry): ListedEntry => ({
      name: entry.name,
      kind: entry.isCharacterDevice() ? "character" : kindOf(entry),
    }),
  );

const regularFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Undefined if it is no longer a regular file, or cannot be opened. */
export const openRegular = (place: Buffer | undefined): number | undefined =>
  attempt(() => place && openSync(place, regularFlags));

/** The bytes of a regular file; undefined if it is unreadable or not `size` bytes long. */
export function readExactly(place: Buffer | undefined, size: number): Buffer | undefined {
  const descriptor = openRegular(place);
  if (descriptor === undefined) return undefined;
  try {
    const bytes = Buffer.allocUnsafe(size + 1);
    let filled = 0;
    for (let read = -1; read !== 0; filled += read)
      read = readSync(descriptor, bytes, filled, bytes.length - filled, filled);
    return filled === size ? bytes.subarray(0, size) : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}
