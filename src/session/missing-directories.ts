/** Directories that changes will create on the way. An intent names them, so that after a crash it is known who did. */

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

/** Top-down. */
function directoriesAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
