/**
 * Limits that the kernel does not hold for a whole command are held by looking, many times a second, at all that runs
 * in it.
 */

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileText, namesIn } from "../on-disk.ts";
import type { Limits } from "./limits.ts";

export type Watch = {
  start(pid: number): void;
  /** Ends the watch, and says which limit was met. */
  end(): string[];
  /** When nothing of it runs any more, as far as it was seen to run: one that was killed takes a moment. */
  over(): Promise<void>;
};

type Kind = "processes" | "memory";

/**
 * RLIMIT_NPROC does not hold for root: its processes are counted often. A control group would hold it to the last one,
 * but joining one costs 15 ms (measured), and it outlives a Toolwright that was killed.
 */
const rootLooksEveryMs = 25;
const looksEveryMs = 200;
const pageBytes = 4096;
const mostLooks = 400;

/** Whatever goes over is ended whole: the first process of a process namespace takes all others with it. */
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

/** The sandbox's own /proc lists what runs in it, and nothing else. */
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

/** One that has ended and is not collected yet has no memory left. */
const isRunning = (pid: number): boolean => fileText(`/proc/${pid}/maps`) !== "";

const numbersIn = (directory: string): string[] => namesIn(directory).filter((name) => /^\d+$/.test(name));

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

function inWords(kind: Kind, { processes, memoryBytes }: Limits): string {
  const excess =
    kind === "processes"
      ? `had more than ${processes} processes and threads at once`
      : `took more than ${Math.floor(memoryBytes / 2 ** 20)} MiB of memory`;
  return `The command was stopped: it ${excess}.`;
}
