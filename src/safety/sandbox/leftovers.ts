/** What sessions that were killed have left in the state directory. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { namesIn } from "../on-disk.ts";
import { removeTree } from "./remove-tree.ts";

/** Names what belongs to this process: its number, and when it was started, for numbers are used again. */
const ownName = (): string => `${process.pid}-${startOf(process.pid) ?? "0"}`;

/** Everything of one process lies in one directory. */
export const ownDirectory = (stateDir: string): string => join(runsDirectory(stateDir), ownName());

const runsDirectory = (stateDir: string): string => join(stateDir, "sandbox", "runs");

/** Never throws: what cannot be removed now is tried again at the next start. */
export function removeLeftovers(stateDir: string): void {
  for (const name of namesIn(runsDirectory(stateDir))) {
    if (!isAbandoned(name)) continue;
    try {
      removeTree(join(runsDirectory(stateDir), name));
    } catch {
      // Another start may be removing it too.
    }
  }
}

/** Whether the process that a name `PID-START` stands for has ended. */
function isAbandoned(name: string): boolean {
  const [, pid, start] = /^(\d+)-(\d+)/.exec(name) ?? [];
  return pid !== undefined && startOf(Number(pid)) !== start;
}

/** In clock ticks since boot (proc_pid_stat(5)). */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}
