/** Finds hidden files that a git command gave other names: the kernel lets it rename what it cannot read. */

import { join, relative } from "node:path";
import { isEnvironmentFile } from "../environment-files.ts";
import { directoriesOf, entriesIn, identityAt, isDirectory } from "../on-disk.ts";
import type { Quarantine } from "./quarantine.ts";

/** Of a place and all that is in it. */
export function identitiesBelow(path: string): [path: string, identity: string][] {
  const below = isDirectory(path) ? entriesIn(path).map(({ name }) => join(path, name)) : [];
  return [[path, identityAt(path) ?? ""], ...below.flatMap(identitiesBelow)];
}

/** `gone`: identities of hidden places that are not where they were. */
export function moveRenamed(gone: ReadonlySet<string>, workspace: string, quarantine: Quarantine): string[] {
  if (gone.size === 0) return [];
  const told: string[] = [];
  for (const { directory, entries } of directoriesOf([workspace], { most: Infinity }))
    for (const entry of entries) {
      const path = join(directory, entry.name);
      if (!entry.isDirectory() && isEnvironmentFile(entry.name)) continue;
      if (gone.has(identityAt(path) ?? ""))
        told.push(renamedWarning(relative(workspace, path), quarantine.moveAway(path)));
    }
  return told;
}

const renamedWarning = (name: string, to: string | undefined): string =>
  to === undefined
    ? `${name} was a hidden file that the command renamed, and could not be moved away. Look at it before you go on.`
    : `${name} was a hidden file that the command renamed: it was moved to ${to}.`;
