/**
 * What work costs the processor, in milliseconds: what else the machine does meanwhile is not in it, as it is in a
 * clock.
 */

export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  return inMs(process.threadCpuUsage(before));
}

/**
 * The same for work that waits: whatever this whole process does until it is over, with the threads that read files.
 */
export async function processorMsUntil(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return inMs(process.cpuUsage(before));
}

const inMs = ({ user, system }: { user: number; system: number }): number => (user + system) / 1000;
