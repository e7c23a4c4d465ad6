/** Finds repositories nested in a directory: deleting the directory would delete their histories. */

import { join } from "node:path";
import { mostJudgedDirectories } from "./bounds.ts";
import { entriesIn, namesIn } from "./on-disk.ts";
import { isGitName, looksLikeRepository, skippedDirectories } from "./sandbox/protected-places.ts";

/** The repository nearest to the top, or undefined if the limited search finds none. Follows no links. */
export function repositoryBelow(directory: string): string | undefined {
  let level = [directory];
  for (let left: number = mostJudgedDirectories; level.length > 0 && left > 0;) {
    const looked = level.slice(0, left);
    left -= looked.length;
    const below: string[] = [];
    for (const path of looked) {
      const entries = entriesIn(path);
      const names = entries.map(({ name }) => name);
      const git = names.find(isGitName);
      if (looksLikeRepository(new Set(names))) return path;
      if (git !== undefined && looksLikeRepository(new Set(namesIn(join(path, git))))) return join(path, git);
      for (const entry of entries)
        if (entry.isDirectory() && !skippedDirectories.has(entry.name)) below.push(join(path, entry.name));
    }
    level = below;
  }
  return undefined;
}
