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

/** What the work returns; undefined if it throws, for calls to which no other answer is known. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The values, if each is there. */
export function allOrNone<T>(values: readonly (T | undefined)[]): T[] | undefined {
  const given = values.filter((value) => value !== undefined);
  return given.length === values.length ? given : undefined;
}

/** The message of any thrown value. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
