/** Entries of git's stash that a command has used up: nothing but their hash leads to them any more. */

import { join } from "node:path";
import { fileText } from "../on-disk.ts";

/** By hash, with what git calls them. */
export type StashEntries = ReadonlyMap<string, string>;

/** `repositories`: the directories in which git keeps them. */
export function stashEntriesIn(repositories: readonly string[]): StashEntries {
  const lines = repositories.flatMap((path) => fileText(join(path, "logs/refs/stash")).split("\n"));
  return new Map(
    lines.flatMap((line) => {
      const [, hash, name = ""] = /^[\da-f]{40,64} ([\da-f]{40,64}) [^\t]*(?:\t(.*))?$/u.exec(line) ?? [];
      return hash === undefined ? [] : [[hash, name] as const];
    }),
  );
}

/** In words, for what undo cannot bring back: git can, until it collects its garbage. */
export const usedUp = (before: StashEntries, after: StashEntries): string[] =>
  [...before]
    .filter(([hash]) => !after.has(hash))
    .map(([hash, name]) => `a stash entry (${name}): "git stash store ${hash}" brings it back`);
