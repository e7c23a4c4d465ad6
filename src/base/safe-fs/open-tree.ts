/** Opens a tree: from then on, everything in it is reached from its root's descriptor. */

import { realpathSync, unlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { type Expected, refuse } from "../expected.ts";
import { componentsOf } from "./components.ts";
import { type PinnedDirectory, openDirectory, descend, statusAt } from "./directory.ts";
import { withLocks } from "./locks.ts";
import { imageAt, listAt, lookAt, readAt, windowAt } from "./looking.ts";
import { keysOfPaths } from "./plan.ts";
import { FileError, fileProblem, codeOf, type FileResult } from "./problems.ts";
import { putAll } from "./put.ts";
import { shutAsNoted } from "./shut-notes.ts";
import { isTemporaryOf } from "./temporary.ts";
import type { Tree } from "./tree.ts";

/** The problem is one sentence. Without /proc, paths are walked by name: see directory.ts. */
export function openTree(root: string): Expected<Tree> {
  try {
    const real = realpathSync(root);
    return { ok: true, value: treeOf(real, closedOnce(openDirectory(real))) };
  } catch (error) {
    return refuse(`${fileProblem(root, error, "open").problem.message}.`);
  }
}

function treeOf(root: string, directory: PinnedDirectory): Tree {
  return {
    root,
    look: (path) => lookAt(directory, path),
    read: (path, limit) => readAt(directory, path, limit),
    window: (path, window) => windowAt(directory, path, window),
    list: (path, options) => listAt(directory, path, options),
    image: (path, limit) => imageAt(directory, path, limit),
    async put(change, options) {
      const made = await putAll(directory, [change], options);
      return made.ok ? { ok: true, value: undefined } : made;
    },
    putAll: (changes, options) => putAll(directory, changes, options),
    removeLeftovers: (paths) => removeLeftovers(directory, paths),
    locked: (paths, work) => withLocks(keysOfPaths(directory, paths), work),
    close: () => directory.close(),
  };
}

/** A closed descriptor's number may soon be reused by another file, so entering through it must fail. */
function closedOnce(root: PinnedDirectory): PinnedDirectory {
  let isOpen = true;
  return {
    ...root,
    enter(name) {
      if (!isOpen) throw new FileError("EBADF", "The workspace is not open any more");
      return root.enter(name);
    },
    close() {
      if (isOpen) root.close();
      isOpen = false;
    },
  };
}

/**
 * Searches all directories above the paths: a temporary file is placed higher up while its directory does not exist.
 */
async function removeLeftovers(
  root: PinnedDirectory,
  paths: readonly string[],
): Promise<FileResult<string[]>> {
  const removed: string[] = [];
  try {
    // A process that is changing the paths right now still needs its temporary files.
    await withLocks(keysOfPaths(root, paths), async () => {
      for (const above of directoriesAbove(paths)) removed.push(...(await tidy(root, above)));
    });
    return { ok: true, value: removed };
  } catch (error) {
    return fileProblem(paths[0] ?? ".", error, "remove");
  }
}

/** A directory on the way to paths. */
type Above = {
  names: readonly string[];
  /** The last names of all paths below it, whose temporary files it may contain. */
  owners: Set<string>;
  /** The names in it that are on the way, or at the end of it. */
  next: Set<string>;
};

/** The deepest first: what is shut can be changed no more. */
function directoriesAbove(paths: readonly string[]): Above[] {
  const found = new Map<string, Above>();
  for (const path of paths) {
    const all = componentsOf(path);
    for (const [depth, name] of all.entries()) {
      const names = all.slice(0, depth);
      const key = names.join("/");
      const above = found.get(key) ?? { names, owners: new Set(), next: new Set() };
      above.owners.add(all.at(-1) ?? name);
      above.next.add(name);
      found.set(key, above);
    }
  }
  return [...found.values()].toSorted((one, other) => other.names.length - one.names.length);
}

/** The paths of what was removed. */
async function tidy(root: PinnedDirectory, { names, owners, next }: Above): Promise<string[]> {
  const directory = enterIfThere(root, names);
  if (directory === undefined) return [];
  try {
    const found = await readdir(directory.here);
    const left = found.filter(
      (name) => name.endsWith(".tmp") && [...owners].some((own) => isTemporaryOf(own, name)),
    );
    const ours = left.filter((name) => {
      const stats = statusAt(directory, name);
      return stats?.isFile() || stats?.isSymbolicLink();
    });
    for (const name of ours) unlinkSync(directory.at(name));
    return [...ours, ...shutAsNoted(directory, next, found)].map((name) => [...names, name].join("/"));
  } finally {
    directory.close();
  }
}

function enterIfThere(root: PinnedDirectory, above: readonly string[]): PinnedDirectory | undefined {
  try {
    return descend(root, above);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}
