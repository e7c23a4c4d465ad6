/** Takes an entry out of an overlay and stores it in the state directory, where nothing executes it. */

import { renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { randomHex } from "../../../base/crypto.ts";
import { makeDirectorySync } from "../../../base/safe-fs/own-files.ts";
import { type BytePath, nameOf, shownPath } from "./byte-path.ts";
import type { RootedTree } from "./rooted-tree.ts";

/** For what could not be put into the workspace. */
export const keptPlace = (stateDir: string): string => join(stateDir, "sandbox", "kept", randomHex(6));

/** The new path, below `place` at its relative workspace path; undefined if the move failed. */
export function putAside(upper: RootedTree, path: BytePath, place: string): string | undefined {
  const targets = [join(place, shownPath(path)), join(place, `${randomHex(4)}-${shownPath(nameOf(path))}`)];
  return targets.find((target) => moveEntry(upper.at(path), target));
}

/** The overlay lies in the state directory too, so both are on one file system. */
function moveEntry(from: Buffer | undefined, to: string): boolean {
  try {
    makeDirectorySync(dirname(to), 0o700);
    if (from) renameSync(from, to);
    return from !== undefined;
  } catch {
    return false;
  }
}
