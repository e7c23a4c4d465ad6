/** The processes of this machine that are a test's own, whoever their parents are. */

import { readdirSync, readFileSync } from "node:fs";

const partsOf = (path: string): string[] => {
  try {
    return readFileSync(path, "latin1").split("\0");
  } catch {
    return []; // gone, or another user's
  }
};

const pids = (): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .map(Number);

/** Those whose environment has this variable, as `NAME=value`. */
export const processesCarrying = (mark: string): number[] =>
  pids().filter((pid) => partsOf(`/proc/${pid}/environ`).includes(mark));

/** Those that run exactly these words. */
export const processesRunning = (words: readonly string[]): number[] =>
  pids().filter((pid) => partsOf(`/proc/${pid}/cmdline`).join("\0") === [...words, ""].join("\0"));
