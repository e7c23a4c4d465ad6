/**
 * How much a command may take: processes, memory, the size of a file. What the kernel cannot hold, `watch.ts` watches.
 */

import { readFileSync } from "node:fs";
import { release, totalmem } from "node:os";
import { bounds } from "../../base/bounds.ts";

export type Limits = { processes: number; fileBytes: number; memoryBytes: number };

export const defaultLimits = (): Limits => ({
  processes: bounds.commands.processes.most,
  fileBytes: bounds.commands.fileBytes.most,
  memoryBytes: Math.floor(totalmem() / 2),
});

/** The letter by which /bin/sh's `ulimit` knows the number of processes: shells differ. */
export type ProcessLetter = "u" | "p";

/**
 * The command, behind a shell that takes its limits. This happens inside the sandbox: there only its own processes
 * count. RLIMIT_AS would stop programs that reserve far more than they use (node, go, java); RLIMIT_DATA counts what a
 * process may really write to.
 */
export function limited(
  command: readonly string[],
  { processes, fileBytes, memoryBytes }: Limits,
  letter: ProcessLetter,
): string[] {
  const most = hardLimits();
  const lines = [
    "ulimit -c 0",
    `ulimit -f ${Math.floor(Math.min(fileBytes, most("Max file size")) / 512)}`,
    `ulimit -d ${Math.floor(Math.min(memoryBytes, most("Max data size")) / 1024)}`,
    `ulimit -${letter} ${Math.min(processes + processesElsewhere(), most("Max processes"))}`,
    'exec "$@"',
  ];
  return ["/bin/sh", "-c", lines.join(" && "), "sh", ...command];
}

/** A limit can only be lowered; where it is already lower, it stays. */
function hardLimits(): (name: string) => number {
  let text = "";
  try {
    text = readFileSync("/proc/self/limits", "utf8");
  } catch {
    // Without it every limit is taken as unlimited: setting one then fails, and so does the command.
  }
  return (name) => {
    const hard = new RegExp(`^${name} +\\S+ +(\\d+)`, "m").exec(text)?.[1];
    return hard === undefined ? Number.POSITIVE_INFINITY : Number(hard);
  };
}

/** Before Linux 5.14 processes were counted per user over all namespaces, so that the user's others need room too. */
function processesElsewhere(): number {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14) ? 0 : 4096;
}
