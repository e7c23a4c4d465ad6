/** The private directories of all Toolwright processes, by which the next start knows what a killed one has left. */

import { join } from "node:path";
import { livenessOf, ownIdentity } from "../../base/process-identity.ts";
import { namesIn } from "../on-disk.ts";

/** A name unique to this process: its PID and its start time, since PIDs are reused. */
export const ownName = (): string => `${process.pid}-${ownIdentity().started || "0"}`;

/** The directory that holds everything belonging to this process. */
export const ownDirectory = (stateDir: string): string => join(runsDirectory(stateDir), ownName());

/** Of the names of directories in it that no command needs once it has begun. */
export const coversPrefix = "covers-";

export const runsDirectory = (stateDir: string): string => join(stateDir, "sandbox", "runs");

/** The same of every Toolwright process that runs now. */
export const liveDirectories = (stateDir: string): string[] =>
  namesIn(runsDirectory(stateDir))
    .filter((name) => !isAbandoned(name))
    .map((name) => join(runsDirectory(stateDir), name));

/** The names of those whose process was killed. */
export const abandonedRuns = (stateDir: string): string[] =>
  namesIn(runsDirectory(stateDir)).filter(isAbandoned);

/** Whether the process behind the name `PID-START` has ended; a removal that was cut short leaves `PID-START.…`. */
export function isAbandoned(name: string): boolean {
  const [, pid, started] = /^(\d+)-(\d+)/.exec(name) ?? [];
  if (pid === undefined || started === undefined) return false;
  return (
    livenessOf({ ...ownIdentity(), pid: Number(pid), started: started === "0" ? "" : started }) === "dead"
  );
}
