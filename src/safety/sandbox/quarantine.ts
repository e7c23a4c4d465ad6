/** Moves files planted by a command to a place where nothing executes them, without deleting anything. */

import { cpSync, lstatSync, renameSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { randomHex } from "../../base/crypto.ts";
import { isWithin } from "../../base/paths.ts";
import { makeDirectorySync } from "../../base/safe-fs/own-files.ts";
import { atPlace, firstInTheWay } from "./own-place.ts";

/**
 * `moveAway` returns the new path, or undefined if the move failed. If a directory on the way has been replaced, what
 * replaced it is moved.
 */
export type Quarantine = { moveAway(path: string): string | undefined };

/** `roots`: the workspace first, then directories beside it in which things may have been planted. */
export function quarantineIn(stateDir: string, roots: readonly string[]): Quarantine {
  const [workspace = "/"] = roots;
  let place: string | undefined;
  return {
    moveAway(wanted) {
      place ??= quarantinePlace(stateDir);
      const root = roots.find((one) => isWithin(one, wanted));
      const path = root === undefined ? wanted : firstInTheWay(wanted, root);
      const inside = root === workspace ? relative(workspace, path) : path.slice(1);
      const target = join(place, inside === "" ? "workspace" : inside);
      try {
        makeDirectorySync(dirname(target), 0o700);
        atPlace(path, (at) => move(at, target));
        return target;
      } catch {
        return undefined;
      }
    },
  };
}

/** A fresh quarantine path for one command's planted files; the directory is not created yet. */
export const quarantinePlace = (stateDir: string): string =>
  join(stateDir, "sandbox", "quarantine", `${dateForName()}-${randomHex(4)}`);

const dateForName = (): string => new Date().toISOString().replace(/[:.]/g, "-");

/** Moves links themselves and leaves their targets untouched. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // Usually because the target is on another file system.
    lstatSync(from);
    try {
      cpSync(from, to, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false });
    } catch (error) {
      rmSync(to, { recursive: true, force: true });
      throw error;
    }
    rmSync(from, { recursive: true });
  }
}
