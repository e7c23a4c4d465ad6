/** Enforces limits that the kernel cannot apply to a whole command, by polling its processes many times a second. */

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileText, namesIn } from "../on-disk.ts";
import type { Limits } from "./limits.ts";

export type Watch = {
  start(pid: number): void;
  /** Stops watching and reports any limit that was exceeded. */
  end(): string[];
  /** Resolves once none of the command's observed processes is running: a killed process takes a moment to exit. */
  over(): Promise<void>;
};

type Kind = "processes" | "memory";

/**
 * RLIMIT_NPROC does not apply to root, so root's processes are counted more often. A control group would enforce the
 * limit exactly, but joining one costs 15 ms (measured), and it outlives a Toolwright that was killed.
 */
const rootLooksEveryMs = 25;
const looksEveryMs = 200;
const pageBytes = 4096;
const mostLooks = 400;

/** A command that exceeds a limit is killed entirely: ending a process namespace's first process ends all others. */
export function watchOver(limits: Limits): Watch {
  let timer: NodeJS.Timeout | undefined;
  let met: Kind | undefined;
  let inside: number | undefined;
  const everyMs = process.getuid?.() === 0 ? rootLooksEveryMs : looksEveryMs;
  return {
    start(pid) {
      let looks = 0;
      timer = setInterval(() => {
        const first = firstInside(pid);
        if (first === undefined) return;
        inside = first;
        looks += 1;
        const over = whatIsOver(first, limits, (looks * everyMs) % looksEveryMs === 0);
        if (over === undefined) return;
        met = over;
        kill(first);
      }, everyMs);
      timer.unref();
    },
    end() {
      clearInterval(timer);
      return met === undefined ? [] : [inWords(met, limits)];
    },
    async over() {
      const first = inside;
      if (first === undefined) return;
      for (let looks = 0; looks < mostLooks && isRunning(first); looks += 1) await sleep(5);
    },
  };
}

/** bubblewrap's only child is the first process of the new namespace. */
function firstInside(pid: number): number | undefined {
  const child = /^\d+/.exec(fileText(`/proc/${pid}/task/${pid}/children`))?.[0];
  return child === undefined ? undefined : Number(child);
}

/** The sandbox's own /proc lists only the processes inside it. */
function whatIsOver(first: number, { processes, memoryBytes }: Limits, closely: boolean): Kind | undefined {
  const proc = `/proc/${first}/root/proc`;
  const running = numbersIn(proc);
  if (running.length > processes) return "processes";
  if (!closely) return undefined;
  let threads = 0;
  let pages = 0;
  for (const pid of running) {
    const fields =
      fileText(join(proc, pid, "stat"))
        .split(") ")
        .at(-1)
        ?.split(" ") ?? [];
    threads += Number(fields[17] ?? 0);
    const [, resident = 0, shared = 0] = fileText(join(proc, pid, "statm"))
      .split(" ")
      .map(Number);
    pages += resident - shared;
  }
  if (pages * pageBytes > memoryBytes) return "memory";
  return threads > processes ? "processes" : undefined;
}

/** A zombie has no memory maps left. */
const isRunning = (pid: number): boolean => fileText(`/proc/${pid}/maps`) !== "";

const numbersIn = (directory: string): string[] => namesIn(directory).filter((name) => /^\d+$/.test(name));

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already exited.
  }
}

function inWords(kind: Kind, { processes, memoryBytes }: Limits): string {
  const excess =
    kind === "processes"
      ? `had more than ${processes} processes and threads at once`
      : `took more than ${Math.floor(memoryBytes / 2 ** 20)} MiB of memory`;
  return `The command was stopped: it ${excess}.`;
}
