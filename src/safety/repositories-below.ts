/** Finds repositories nested in a directory: deleting the directory would delete their histories. */

import { join } from "node:path";
import { mostJudgedDirectories } from "./bounds.ts";
import { directoriesOf, namesIn } from "./on-disk.ts";
import { isGitName, looksLikeRepository, skippedDirectories } from "./sandbox/protected-places.ts";

/** The repository nearest to the top, or undefined if the limited search finds none. Follows no links. */
export function repositoryBelow(directory: string): string | undefined {
  const search = {
    most: mostJudgedDirectories,
    isEntered: (name: string) => !skippedDirectories.has(name),
  };
  for (const { directory: path, entries } of directoriesOf([directory], search)) {
    const names = entries.map(({ name }) => name);
    const git = names.find(isGitName);
    if (looksLikeRepository(names)) return path;
    if (git !== undefined && looksLikeRepository(namesIn(join(path, git)))) return join(path, git);
  }
  return undefined;
}
