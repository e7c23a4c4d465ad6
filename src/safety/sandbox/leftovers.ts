/** Ends and cleans up what earlier processes that were killed left behind, in the system and in the state directory. */

import { join } from "node:path";
import { makeDirectorySync } from "../../base/safe-fs/own-files.ts";
import { removeTree } from "../../base/safe-fs/remove-tree.ts";
import { namesIn } from "../on-disk.ts";
import { endLeftRunning } from "./left-running.ts";
import { putBackLeft } from "./put-back.ts";
import type { ContainRequest } from "./request.ts";
import { abandonedRuns, coversPrefix, ownDirectory, runsDirectory } from "./runs.ts";

/**
 * Before the first command with this state directory: ends what earlier owners left running, then removes their
 * directories; what cannot be removed waits for the next. Says what was put back and moved away, if not to a rehearsal.
 */
export function removeLeftoversOnce({ stateDir, rehearsed }: Cleaning, told: LeftoversTold): string[] {
  const untold = told.get(stateDir) ?? removeLeftovers(stateDir);
  told.set(stateDir, rehearsed ? untold : []);
  return rehearsed ? [] : untold;
}

/** By state directory already cleaned: what is still to be told. */
export type LeftoversTold = Map<string, string[]>;
type Cleaning = Pick<ContainRequest, "stateDir" | "rehearsed">;

function removeLeftovers(stateDir: string): string[] {
  endLeftRunning(stateDir);
  const told = putBackLeft(stateDir);
  for (const name of abandonedRuns(stateDir)) {
    try {
      removeTree(join(runsDirectory(stateDir), name));
    } catch {
      // A concurrent start may be removing the same directory.
    }
  }
  // The sign for the next start that there may be something to clean up.
  makeDirectorySync(ownDirectory(stateDir), 0o700);
  if (used.size === 0) process.once("exit", removeOwn);
  used.add(stateDir);
  return told;
}

/** State directories in which this process has a directory of its own. */
const used = new Set<string>();

/** At an end in order, where no command runs any more: the next start then need not look at every process. */
function removeOwn(): void {
  for (const stateDir of used)
    try {
      const own = ownDirectory(stateDir);
      if (namesIn(own).every((name) => name.startsWith(coversPrefix))) removeTree(own);
    } catch {
      // It stays, and the next start looks.
    }
}
