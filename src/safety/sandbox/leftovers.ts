/** Cleans up the state directory after sessions that were killed. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { namesIn } from "../on-disk.ts";
import { removeTree } from "./remove-tree.ts";

/** A name unique to this process: its PID and its start time, since PIDs are reused. */
const ownName = (): string => `${process.pid}-${startOf(process.pid) ?? "0"}`;

/** The directory that holds everything belonging to this process. */
export const ownDirectory = (stateDir: string): string => join(runsDirectory(stateDir), ownName());

const runsDirectory = (stateDir: string): string => join(stateDir, "sandbox", "runs");

/** Never throws: whatever cannot be removed now is retried at the next start. */
export function removeLeftovers(stateDir: string): void {
  for (const name of namesIn(runsDirectory(stateDir))) {
    if (!isAbandoned(name)) continue;
    try {
      removeTree(join(runsDirectory(stateDir), name));
    } catch {
      // A concurrent start may be removing the same directory.
    }
  }
}

/** Whether the process behind the name `PID-START` has ended. */
function isAbandoned(name: string): boolean {
  const [, pid, start] = /^(\d+)-(\d+)/.exec(name) ?? [];
  return pid !== undefined && startOf(Number(pid)) !== start;
}

/** A process's start time in clock ticks since boot (proc_pid_stat(5)). */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}
