/** Resource limits of a command: processes, memory, file size, disk. `watch.ts` enforces those that the kernel cannot. */

import { release, totalmem } from "node:os";
import { fileText } from "../on-disk.ts";
import { sandboxBounds } from "./bounds.ts";

export type ProcessLimits = { processes: number; fileBytes: number; memoryBytes: number; diskBytes: number };

export const defaultLimits = (): ProcessLimits => ({
  processes: sandboxBounds.processes.most,
  fileBytes: sandboxBounds.fileBytes.most,
  memoryBytes: Math.floor(totalmem() / 2),
  diskBytes: sandboxBounds.addedDisk.most,
});

/**
 * Wraps the command in a shell that sets its limits. It runs inside the sandbox, where only the sandbox's own processes
 * count. RLIMIT_AS would stop programs that reserve far more than they use (node, go, java); RLIMIT_DATA counts the
 * memory a process may really write to.
 */
export function withLimits(
  command: readonly string[],
  { processes, fileBytes, memoryBytes }: ProcessLimits,
): string[] {
  const most = hardLimits();
  const mostProcesses = Math.min(processes + processesElsewhere(), most("Max processes"));
  const lines = [
    "ulimit -c 0",
    `ulimit -f ${Math.floor(Math.min(fileBytes, most("Max file size")) / 512)}`,
    `ulimit -d ${Math.floor(Math.min(memoryBytes, most("Max data size")) / 1024)}`,
    // Some shells know the number of processes as "p", which is something else to those that know it as "u".
    `{ ulimit -u ${mostProcesses} 2>/dev/null || ulimit -p ${mostProcesses}; }`,
    'exec "$@"',
  ];
  return ["/bin/sh", "-c", lines.join(" && "), "sh", ...command];
}

/** A limit can only be lowered, so a lower existing limit is retained. */
function hardLimits(): (name: string) => number {
  // If it cannot be read, assume no limit: setting one above the real limit then fails, and so does the command.
  const text = fileText("/proc/self/limits");
  return (name) => {
    const hard = new RegExp(`^${name} +\\S+ +(\\d+)`, "m").exec(text)?.[1];
    return hard === undefined ? Number.POSITIVE_INFINITY : Number(hard);
  };
}

/** Before Linux 5.14 the kernel counted a user's processes across all namespaces, so allow for those outside. */
export function processesElsewhere(): number {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14) ? 0 : 4096;
}
