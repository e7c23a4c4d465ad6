/** Counts what work reads: unlike a clock, the number is the same on every machine. */

import { readFileSync } from "node:fs";

/** The bytes that all threads of this process, and the children that it waited for, read meanwhile. Linux only. */
export async function bytesReadUntil(work: () => Promise<unknown>): Promise<number> {
  const before = bytesRead();
  await work();
  return bytesRead() - before;
}

const bytesRead = (): number => Number(/^rchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "latin1"))?.[1]);
