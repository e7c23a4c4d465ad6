/**
 * Measures the CPU time of work in milliseconds; unlike a clock, it ignores other load on the machine. Bounds on it are
 * written for a usual machine: on a slower one, or while others use its memory, a long time is divided by how much
 * longer a known work takes there.
 */

export function processorMs(work: () => void): number {
  return onUsualMachine(threadMs(work));
}

/**
 * The same for asynchronous work: all CPU time of this process until it settles, including the file-reading threads.
 */
export async function processorMsUntil(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return onUsualMachine(inMs(process.cpuUsage(before)));
}

function threadMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  return inMs(process.threadCpuUsage(before));
}

const inMs = ({ user, system }: { user: number; system: number }): number => (user + system) / 1000;

/** Too short for a bound of any test: not worth the known work. */
const short = 100;

function onUsualMachine(ms: number): number {
  if (ms < short) return ms;
  const takes = Math.min(threadMs(knownWork), threadMs(knownWork), threadMs(knownWork));
  return ms / Math.max(1, takes / usualMs);
}

/** What `knownWork` takes on a usual machine, once it is compiled. */
const usualMs = 10;

/** Strings, small objects, a map and a pattern, in more memory than a processor's own. */
function knownWork(): void {
  const words = new Map<string, { at: number }>();
  for (let at = 0; at < 20_000; at += 1) words.set(`word-${at}`, { at });
  const text = JSON.stringify([...words]);
  JSON.parse(text);
  text.replaceAll(/word-\d+/gu, "");
}
