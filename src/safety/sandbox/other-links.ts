/** Finds the other names of hidden files: hard links that were made outside the sandbox show the same content. */

import type { Stats } from "node:fs";
import { join } from "node:path";
import { mostJudgedDirectories } from "../bounds.ts";
import { directoriesOf, isDirectory, statusOf } from "../on-disk.ts";
import type { KnownNames } from "./known-names.ts";
import { skippedDirectories } from "./protected-places.ts";

/** Found names stay right until the file itself changes: a new link, and a moved one, change its time. */
const known = new Map<string, readonly string[]>();
const mostKnown = 1_000;
/** Of a hidden directory. */
const mostFiles = 300;
const deepestInside = 2;

/** `places`: trees to look through; `hidden`: files and directories. Returns paths outside of those. */
export function otherLinks(
  hidden: readonly string[],
  places: readonly string[],
  names: KnownNames,
): string[] {
  const files = hidden.flatMap((path) =>
    isDirectory(path) ? filesBelow(path, deepestInside, names) : [path],
  );
  const linked = files.flatMap((path) => {
    const stats = statusOf(path);
    return stats?.isFile() && stats.nlink > 1 ? [{ path, key: keyOf(stats), stats }] : [];
  });
  const wanted = new Map(linked.filter(({ key }) => !known.has(key)).map((one) => [one.key, one]));
  if (wanted.size > 0) lookFor(wanted, places);
  const found = new Set(linked.flatMap(({ key }) => known.get(key) ?? []));
  return [...found].filter((path) => !files.includes(path));
}

type LinkedFile = { stats: Stats };

const keyOf = ({ dev, ino, ctimeMs, nlink }: Stats): string => `${dev}:${ino}:${ctimeMs}:${nlink}`;

function lookFor(wanted: ReadonlyMap<string, LinkedFile>, places: readonly string[]): void {
  if (known.size > mostKnown) known.clear();
  const names = new Map([...wanted].map(([key]) => [key, new Array<string>()]));
  const inodes = new Map([...wanted].map(([key, { stats }]) => [`${stats.dev}:${stats.ino}`, key]));
  const search = {
    most: mostJudgedDirectories,
    isEntered: (name: string) => !skippedDirectories.has(name),
  };
  for (const { directory, entries } of directoriesOf(places, search))
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = join(directory, entry.name);
      const stats = statusOf(path);
      const key = stats && stats.nlink > 1 ? inodes.get(`${stats.dev}:${stats.ino}`) : undefined;
      if (key !== undefined) names.get(key)?.push(path);
    }
  for (const [key, paths] of names) known.set(key, paths);
}

function filesBelow(directory: string, depth: number, names: KnownNames): string[] {
  const entries = names.entriesIn(directory).slice(0, mostFiles);
  return entries.flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isFile()) return [path];
    return entry.isDirectory() && depth > 1 ? filesBelow(path, depth - 1, names) : [];
  });
}
