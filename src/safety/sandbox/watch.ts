/** Enforces limits that the kernel cannot apply to a whole command, by polling its processes many times a second. */

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { attempt } from "../../base/expected.ts";
import { fileText, namesIn } from "../on-disk.ts";
import { type DiskUse, freeOn, isOfCommand } from "./disk.ts";
import { firstInside, type SandboxProcess, isStill, rootOf } from "./inside.ts";
import { exactBytes, roughUsage } from "./memory.ts";
import type { ProcessLimits } from "./process-limits.ts";

export type Watch = {
  /** Half of what was free on the disk, in bytes: a single file reserved at once would be noticed too late. */
  largestFile: number;
  start(pid: number): void;
  /** Stops watching and reports any limit that was exceeded. */
  end(): string[];
  /** Resolves once none of the command's observed processes is running: a killed process takes a moment to exit. */
  over(): Promise<void>;
};

/** What the watch must know of the command. */
type WatchSubject = {
  limits: ProcessLimits;
  /** Where it has private file systems in memory. */
  temporary: readonly string[];
  disk: DiskUse;
};

type WatchedResource = "processes" | "memory" | "disk";

/**
 * RLIMIT_NPROC does not apply to root, so root's processes are counted more often. A control group would enforce the
 * limit exactly, but joining one costs 15 ms (measured), and it outlives a Toolwright that was killed.
 */
const rootLooksEveryMs = 25;
const looksEveryMs = 200;
/** A close look takes the longer the more the command has: it may take this share of our time. */
const closeShare = 1 / 10;
const mostLooks = 400;

/** A command that exceeds a limit is killed entirely: ending a process namespace's first process ends all others. */
export function watchOver(watched: WatchSubject): Watch {
  let timer: NodeJS.Timeout | undefined;
  let met: WatchedResource | undefined;
  let inside: SandboxProcess | undefined;
  let nextClose = 0;
  const free = freeOn(watched.disk.places);
  const half = free / 2;
  const mostAdded = Math.min(watched.limits.diskBytes, half);
  const everyMs = process.getuid?.() === 0 ? rootLooksEveryMs : looksEveryMs;
  const closely = (pids: readonly string[], at: SandboxProcess): WatchedResource | undefined => {
    const began = performance.now();
    if (began < nextClose) return undefined;
    const isFuller = free - freeOn(watched.disk.places) > mostAdded;
    const fills = isFuller && isOfCommand(mostAdded, rootOf(at), pids, watched.disk);
    const over = fills ? "disk" : closeLook(pids, at, watched);
    const took = performance.now() - began;
    nextClose = began + Math.max(looksEveryMs, took / closeShare);
    return over;
  };
  return {
    largestFile: half,
    start(pid) {
      timer = setInterval(() => {
        inside ??= firstInside(pid);
        if (inside === undefined || !isStill(inside)) return;
        const pids = numbersIn(join(rootOf(inside), "proc"));
        met ??= pids.length > watched.limits.processes ? "processes" : closely(pids, inside);
        if (met !== undefined && isStill(inside)) kill(inside.pid);
      }, everyMs);
      timer.unref();
    },
    end() {
      clearInterval(timer);
      return met === undefined ? [] : [inWords(met, watched.limits)];
    },
    async over() {
      if (inside === undefined) return;
      for (let looks = 0; looks < mostLooks && isRunning(inside.pid); looks += 1) await sleep(5);
    },
  };
}

function closeLook(
  pids: readonly string[],
  inside: SandboxProcess,
  { limits, temporary }: WatchSubject,
): WatchedResource | undefined {
  const root = rootOf(inside);
  const { threads, bytes } = roughUsage(root, pids, temporary);
  if (threads > limits.processes) return "processes";
  return bytes > limits.memoryBytes && exactBytes(root, pids, temporary) > limits.memoryBytes
    ? "memory"
    : undefined;
}

/** A zombie has no memory maps left. */
const isRunning = (pid: number): boolean => fileText(`/proc/${pid}/maps`) !== "";

const numbersIn = (directory: string): string[] => namesIn(directory).filter((name) => /^\d+$/.test(name));

/** Nothing, if it has ended already. */
const kill = (pid: number): unknown => attempt(() => process.kill(pid, "SIGKILL"));

function inWords(kind: WatchedResource, { processes, memoryBytes, diskBytes }: ProcessLimits): string {
  const excess = {
    processes: `had more than ${processes} processes and threads at once`,
    memory: `took more than ${Math.floor(memoryBytes / 2 ** 20)} MiB of memory, files in /tmp and /dev/shm included`,
    disk: `added more than ${Math.floor(diskBytes / 2 ** 20)} MiB, or more than half of what was free, to the disk. What it wrote into the workspace may still be there: remove what is not needed`,
  };
  return `The command was stopped: it ${excess[kind]}.`;
}
