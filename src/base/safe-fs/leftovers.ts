/**
 * Removes the temporary files that a process killed during a change may leave, and shuts the directories that it had
 * opened; it leaves nothing else.
 */

import { unlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { componentsOf } from "./components.ts";
import { descend, type Directory, statusAt } from "./directory.ts";
import { withLocks } from "./locks.ts";
import { keysOfPaths } from "./plan.ts";
import { codeOf, type FileResult, fileProblem } from "./problems.ts";
import { shutAsNoted } from "./shut-notes.ts";
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
        removed.push(...(await inDirectory(root, above, (directory) => removeIn(directory, names))));
      // From the bottom up: what is shut can be changed no more.
      for (const [above, names] of directoriesOf(paths))
        removed.push(...(await inDirectory(root, above, (directory) => shutIn(directory, names))));
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

/** Maps each directory to the names of those directly in it that are on the way to a path; the deepest first. */
function directoriesOf(paths: readonly string[]): [string, ReadonlySet<string>][] {
  const inside = new Map<string, Set<string>>();
  for (const path of paths)
    for (const [depth, name] of componentsOf(path).entries()) {
      const above = componentsOf(path).slice(0, depth).join("/");
      inside.set(above, (inside.get(above) ?? new Set()).add(name));
    }
  return [...inside].toSorted(([one], [other]) => depthOf(other) - depthOf(one));
}

const depthOf = (above: string): number => (above === "" ? 0 : above.split("/").length);

/** The paths of the names that `work` returns. */
async function inDirectory(
  root: Directory,
  above: string,
  work: (directory: Directory) => Promise<string[]>,
): Promise<string[]> {
  const names = above === "" ? [] : above.split("/");
  const directory = enterIfThere(root, names);
  if (directory === undefined) return [];
  try {
    return (await work(directory)).map((name) => [...names, name].join("/"));
  } finally {
    directory.close();
  }
}

async function removeIn(directory: Directory, names: ReadonlySet<string>): Promise<string[]> {
  const found = await readdir(directory.here);
  const left = found.filter(
    (name) => name.endsWith(".tmp") && [...names].some((own) => isTemporaryOf(own, name)),
  );
  const ours = left.filter((name) => {
    const stats = statusAt(directory, name);
    return stats?.isFile() || stats?.isSymbolicLink();
  });
  for (const name of ours) unlinkSync(directory.at(name));
  return ours;
}

const shutIn = async (directory: Directory, names: ReadonlySet<string>): Promise<string[]> =>
  shutAsNoted(directory, names, await readdir(directory.here));

function enterIfThere(root: Directory, above: readonly string[]): Directory | undefined {
  try {
    return descend(root, above);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}
