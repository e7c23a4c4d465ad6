/** Finds the first process of a command's own PID namespace, by the namespace's identity. */

import { join } from "node:path";
import { fileText, linkTarget } from "../on-disk.ts";

export type SandboxProcess = { pid: number; space: string };

/** Processes between the one we started and the first one inside; there are at most two. */
const mostLinks = 8;

/**
 * Below the process that we started. While the sandbox is being set up, children still see the machine's own /proc, and
 * one of them is in an outer namespace: the right one has a namespace other than ours, and sees that one's processes.
 */
export function firstInside(started: number): SandboxProcess | undefined {
  const ours = spaceOf("/proc/self");
  let waiting = [started];
  for (let link = 0; link < mostLinks && waiting.length > 0; link += 1) {
    const found = waiting.map(insideAt).find((inside) => inside !== undefined && inside.space !== ours);
    if (found) return found;
    waiting = waiting.flatMap(childrenOf);
  }
  return undefined;
}

function insideAt(pid: number): SandboxProcess | undefined {
  const space = spaceOf(`/proc/${pid}`);
  return space !== undefined && seesItself(pid, space) ? { pid, space } : undefined;
}

/** Whether it is still that process, and not another one that was given its number. */
export const isStill = ({ pid, space }: SandboxProcess): boolean =>
  spaceOf(`/proc/${pid}`) === space && seesItself(pid, space);

/** Where the namespace's processes are listed: the sandbox's own /proc. */
export const rootOf = ({ pid }: SandboxProcess): string => `/proc/${pid}/root`;

const seesItself = (pid: number, space: string): boolean =>
  spaceOf(join(`/proc/${pid}/root`, "proc/1")) === space;

const spaceOf = (process: string): string | undefined => linkTarget(join(process, "ns/pid"));

const childrenOf = (pid: number): number[] =>
  fileText(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
