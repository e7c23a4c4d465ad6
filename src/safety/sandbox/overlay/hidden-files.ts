/** Hides files in an overlay from the command that runs over it, which may still remove them with their directory. */

import { chmodSync, chownSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * Makes a tree to be mounted between the overlay and the workspace: in the place of each file or directory it has an empty
 * file that nobody may read. A mount over the file would do that, too, but could not be removed.
 */
export function makeHidden(tree: string, workspace: string, paths: readonly string[]): void {
  mkdirSync(tree, { mode: 0o700 });
  copyStanding(workspace, tree);
  for (const path of paths) {
    const place = join(tree, relative(workspace, path));
    makeAbove(dirname(path), { tree, workspace });
    writeFileSync(place, "", { mode: 0 });
    copyOwner(path, place);
  }
}

/** Directories as the workspace has them: the command sees those of this tree. */
function makeAbove(directory: string, trees: { tree: string; workspace: string }): void {
  if (directory === trees.workspace) return;
  const place = join(trees.tree, relative(trees.workspace, directory));
  if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) return;
  makeAbove(dirname(directory), trees);
  mkdirSync(place, { mode: 0o700 });
  copyStanding(directory, place);
}

function copyStanding(from: string, to: string): void {
  copyOwner(from, to);
  chmodSync(to, lstatSync(from).mode & 0o7777);
}

function copyOwner(from: string, to: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = lstatSync(from);
  chownSync(to, uid, gid);
}
