/** How long to wait before something is tried again. */

/**
 * Milliseconds before try `attempt` (from 1): what the other side asked for, else 0.5, 1, 2… s up to 8, with jitter.
 */
export function waitBefore(
  attempt: number,
  asked: number | undefined,
  random: () => number = Math.random,
): number {
  const jitter = random();
  if (asked !== undefined) return Math.round(asked + 250 * jitter);
  return Math.round(Math.min(8000, 500 * 2 ** (attempt - 1)) * (0.5 + jitter / 2));
}
