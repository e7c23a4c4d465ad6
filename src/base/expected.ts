/**
 * Expected failures as values: a function that can fail in an expected way returns an `Expected` and throws only on
 * surprises.
 */

/** The requested value, or in one line why there is none. @public */
export type Expected<T> = { ok: true; value: T } | { ok: false; problem: string };

/** A failure with its reason: one line, or what a kind of failure has. */
export const refuse = <Problem>(problem: Problem): { ok: false; problem: Problem } => ({
  ok: false,
  problem,
});

/** The value, for whoever handles failures as exceptions: throws an Error with the reason. */
export function orThrow<T>(expected: Expected<T>): T {
  if (expected.ok) return expected.value;
  throw new Error(expected.problem);
}

/** The message of any thrown value. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
