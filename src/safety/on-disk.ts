/** Synchronous file-system lookups that never throw: what cannot be read counts as missing. */

import {
  accessSync,
  constants,
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { attempt } from "../base/expected.ts";

/** The path with all symbolic links resolved. */
export const realPath = (path: string): string | undefined => attempt(() => realpathSync.native(path));

/** The path that is stored in a symbolic link. */
export const linkTarget = (path: string): string | undefined => attempt(() => readlinkSync(path));

/** The names in a directory; empty if there is none. */
export const namesIn = (directory: string): string[] => attempt(() => readdirSync(directory)) ?? [];

/** The same, with the type of each entry. */
export const entriesIn = (directory: string): Dirent[] =>
  attempt(() => readdirSync(directory, { withFileTypes: true })) ?? [];

/** The directories of these trees, the nearest first, no more than `most`, each with what it holds. Follows no links. */
export function* directoriesOf(
  roots: readonly string[],
  { most, isEntered = () => true }: { most: number; isEntered?: (name: string) => boolean },
): Generator<{ directory: string; entries: readonly Dirent[] }> {
  const places = [...roots];
  for (let at = 0; at < Math.min(places.length, most); at += 1) {
    const directory = places[at] ?? "";
    const entries = entriesIn(directory);
    yield { directory, entries };
    for (const entry of entries)
      if (entry.isDirectory() && isEntered(entry.name)) places.push(join(directory, entry.name));
  }
}

/** The text of a file; empty if there is none. For files that are known to be small. */
export const fileText = (path: string): string => attempt(() => readFileSync(path, "utf8")) ?? "";

/** False for a link to a directory. */
export const isDirectory = (path: string): boolean => statusOf(path)?.isDirectory() ?? false;

/** Does not follow a symbolic link. */
export const statusOf = (path: string): Stats | undefined =>
  attempt(() => lstatSync(path, { throwIfNoEntry: false }));

/** Follows symbolic links. */
export const targetStatus = (path: string): Stats | undefined =>
  attempt(() => statSync(path, { throwIfNoEntry: false }));

/** With the time of its birth, which nobody can set: numbers of removed files are used again. */
export const identityAt = (path: string): string | undefined =>
  attempt(() => {
    const { dev, ino, birthtimeNs } = lstatSync(path, { bigint: true });
    return `${dev}:${ino}:${birthtimeNs}`;
  });

/** Whether we may run it. */
export const isExecutable = (path: string): boolean =>
  attempt(() => {
    accessSync(path, constants.X_OK);
    return true;
  }) ?? false;
