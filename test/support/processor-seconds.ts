/** What the kernel has counted of processes, in seconds of a processor. */

import { readdirSync, readFileSync } from "node:fs";

type Counted = { parent: number; seconds: number };

function counted(pid: number): Counted {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
  return { parent: Number(fields[1]), seconds: ticks / 100 };
}

/** Of a process and its ended children; `siblings`: of its parent and all that the parent has started. */
export function processorSeconds(pid = 0, whose: "own" | "siblings" = "own"): number {
  const own = counted(pid);
  if (whose === "own") return own.seconds;
  const all = readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/u.test(name)) return [];
    try {
      return [counted(Number(name))];
    } catch {
      return []; // it has just ended
    }
  });
  const siblings = all.filter(({ parent }) => parent === own.parent);
  return siblings.reduce((sum, { seconds }) => sum + seconds, counted(own.parent).seconds);
}

/** Of all processors together, for which there was nothing to do. */
export function idleSeconds(): number {
  const [, , , , idle = 0] = readFileSync("/proc/stat", "utf8").split(/\s+/u).map(Number);
  return idle / 100;
}
