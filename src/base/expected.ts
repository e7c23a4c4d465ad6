/**
 * Expected failures as values: a function that may fail in an expected way returns one of these, and throws only
 * surprises.
 */

/** What was asked for, or in one line why it is not to be had. */
export type Expected<T> = { ok: true; value: T } | { ok: false; problem: string };

/** Why something is not to be had, in one line. */
export const refuse = (problem: string): { ok: false; problem: string } => ({ ok: false, problem });

/** The words of anything that was thrown. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
