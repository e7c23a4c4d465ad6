/** The cores of an extension under test: the command line that it carries, run as an agent. */

import { readFileSync } from "node:fs";

/** Of these processes, by their numbers. */
export const coresOf = (processes: readonly number[]): number[] =>
  processes.filter((pid) => {
    const words = wordsOf(pid);
    return words[1]?.endsWith("core/bin.cjs") === true && words[2] === "acp";
  });

/** Its command line. */
export function wordsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return []; // it has just ended
  }
}
