/** Moves what a command planted to where nothing runs it; nothing is lost. */

import { cpSync, lstatSync, renameSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { randomHex } from "../../base/crypto.ts";
import { isWithin } from "../../base/paths.ts";
import { makeDirectorySync } from "../../base/safe-fs/own-files.ts";

/** Undefined where it could not be moved away. */
export type Quarantine = { moveAway(path: string): string | undefined };

export function quarantineIn(stateDir: string, workspace: string): Quarantine {
  let place: string | undefined;
  return {
    moveAway(path) {
      place ??= quarantinePlace(stateDir);
      const inside = isWithin(workspace, path) ? relative(workspace, path) : path.slice(1);
      const target = join(place, inside === "" ? "workspace" : inside);
      try {
        makeDirectorySync(dirname(target), 0o700);
        move(path, target);
        return target;
      } catch {
        return undefined;
      }
    },
  };
}

/** A new place for what one command planted; not made yet. */
export const quarantinePlace = (stateDir: string): string =>
  join(stateDir, "sandbox", "quarantine", `${dateForName()}-${randomHex(4)}`);

const dateForName = (): string => new Date().toISOString().replace(/[:.]/g, "-");

/** Links are moved as links: what they lead to is not touched. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // Another file system, usually.
    lstatSync(from);
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false });
    rmSync(from, { recursive: true });
  }
}
