/**
 * Directories that changes will create or open on the way. An intent names them, so that after a crash it is known who
 * did.
 */

import type { Change } from "../base/safe-fs/image.ts";
import type { Tree } from "../base/safe-fs/tree.ts";

/** Top-down, without those that the changes name themselves. */
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

/** Directories without write permission: they are opened for the changes inside, and a crash may leave them open. */
export async function shutDirectories(files: Tree, changes: readonly Change[]): Promise<Change[]> {
  if (process.getuid?.() === 0) return []; // root may write everywhere
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

/** Top-down. */
function directoriesAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
