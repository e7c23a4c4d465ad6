/**
 * Directories that changes will make or open on their way: an intent names them, so that a crash does not hide who did.
 */

import type { Change } from "../base/safe-fs/image.ts";
import type { Tree } from "../base/safe-fs/tree.ts";

/** From the top down; none that the changes name themselves. */
export async function missingDirectories(files: Tree, changes: readonly Change[]): Promise<Change[]> {
  const named = new Set(changes.map(({ path }) => path));
  const missing = new Map<string, Change>();
  const there = new Set(["."]);
  for (const { path, after } of changes) {
    if (after === null) continue;
    for (const above of directoriesAbove(path)) {
      if (there.has(above) || named.has(above) || missing.has(above)) continue;
      const found = await files.look(above);
      if (found.ok && found.value === null)
        missing.set(above, { path: above, before: null, after: { kind: "directory" } });
      else there.add(above);
    }
  }
  return [...missing.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/**
 * Those in which nobody may write as they are: they are opened for the changes in them, and a crash may leave them so.
 */
export async function shutDirectories(files: Tree, changes: readonly Change[]): Promise<Change[]> {
  if (process.getuid?.() === 0) return []; // may write everywhere
  const named = new Set(changes.map(({ path }) => path));
  const above = new Set(
    changes.flatMap(({ path }) => directoriesAbove(path)).filter((path) => !named.has(path)),
  );
  const shut: Change[] = [];
  for (const path of above) {
    const found = await files.look(path);
    if (!found.ok || found.value?.kind !== "directory" || (found.value.mode & 0o300) === 0o300) continue;
    const standing = { kind: "directory", mode: found.value.mode } as const;
    shut.push({ path, before: standing, after: standing });
  }
  return shut;
}

/** From the top down. */
function directoriesAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
