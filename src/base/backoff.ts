/** Computes how long to wait before a retry. */

/**
 * Milliseconds to wait before attempt `attempt` (from 1): the delay the server requested, else 0.5, 1, 2… s up to 30,
 * with jitter.
 */
export function waitBefore(
  attempt: number,
  asked: number | undefined,
  random: () => number = Math.random,
): number {
  const jitter = random();
  if (asked !== undefined && asked > 0) return Math.round(asked + 250 * jitter);
  return Math.round(Math.min(30_000, 500 * 2 ** (attempt - 1)) * (0.5 + jitter / 2));
}
