/** Measures the CPU time of work in milliseconds; unlike a clock, it ignores other load on the machine. */

export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  return inMs(process.threadCpuUsage(before));
}

/**
 * The same for asynchronous work: all CPU time of this process until it settles, including the file-reading threads.
 */
export async function processorMsUntil(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return inMs(process.cpuUsage(before));
}

const inMs = ({ user, system }: { user: number; system: number }): number => (user + system) / 1000;
