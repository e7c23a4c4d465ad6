/** Opens a tree: from then on, everything in it is reached from its root's descriptor. */

import { realpathSync } from "node:fs";
import { type Expected, refuse } from "../expected.ts";
import { type PinnedDirectory, openDirectory } from "./directory.ts";
import { removeLeftovers } from "./leftovers.ts";
import { withLocks } from "./locks.ts";
import { imageAt, listAt, lookAt, readAt, windowAt } from "./looking.ts";
import { keysOfPaths } from "./plan.ts";
import { FileError, fileProblem } from "./problems.ts";
import { putAll } from "./put.ts";
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
