/** Removes the temporary files that a process killed during a change may leave; it leaves nothing else. */

import { unlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { componentsOf } from "./components.ts";
import { descend, type Directory, statusAt } from "./directory.ts";
import { withLocks } from "./locks.ts";
import { keysOfPaths } from "./plan.ts";
import { codeOf, type FileResult, fileProblem } from "./problems.ts";
import { isTemporaryOf } from "./temporary.ts";

/**
 * Searches all directories above the paths: a temporary file is placed higher up while its directory does not exist.
 */
export async function removeLeftovers(
  root: Directory,
  paths: readonly string[],
): Promise<FileResult<string[]>> {
  const removed: string[] = [];
  try {
    const owners = ownersOf(paths);
    // A process that is changing the paths right now still needs its temporary files.
    await withLocks(keysOfPaths(root, paths), async () => {
      for (const [above, names] of owners)
        removed.push(...(await removeIn(root, above === "" ? [] : above.split("/"), names)));
    });
    return { ok: true, value: removed };
  } catch (error) {
    return fileProblem(paths[0] ?? ".", error, "remove");
  }
}

/** Maps each directory ("" is the root) to the names whose temporary files it may contain. */
function ownersOf(paths: readonly string[]): Map<string, Set<string>> {
  const owners = new Map<string, Set<string>>();
  for (const path of paths) {
    const names = componentsOf(path);
    const name = names.pop();
    if (name === undefined) continue;
    for (let depth = 0; depth <= names.length; depth++) {
      const above = names.slice(0, depth).join("/");
      const known = owners.get(above) ?? new Set();
      owners.set(above, known.add(name));
    }
  }
  return owners;
}

async function removeIn(
  root: Directory,
  above: readonly string[],
  names: ReadonlySet<string>,
): Promise<string[]> {
  const directory = enterIfThere(root, above);
  if (directory === undefined) return [];
  try {
    const found = await readdir(directory.here);
    const left = found.filter(
      (name) => name.endsWith(".tmp") && [...names].some((own) => isTemporaryOf(own, name)),
    );
    const ours = left.filter((name) => {
      const stats = statusAt(directory, name);
      return stats?.isFile() || stats?.isSymbolicLink();
    });
    for (const name of ours) unlinkSync(directory.at(name));
    return ours.map((name) => [...above, name].join("/"));
  } finally {
    directory.close();
  }
}

function enterIfThere(root: Directory, above: readonly string[]): Directory | undefined {
  try {
    return descend(root, above);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}
