/**
 * Named points in the code where tests inject failures such as a killed process or a full disk. No effect outside
 * tests.
 */

/**
 * "call-ended": a tool has run, its result is not stored yet. "file-change": a file is about to be put in place.
 * "image-kept": the old content is saved for undo. "shortening": a summary exists but is not stored yet. "migrating":
 * the database schema is being upgraded.
 */
export type Failpoint = "call-ended" | "file-change" | "image-kept" | "shortening" | "migrating";

let reached: ((point: Failpoint) => void) | undefined;

/** Reports that the code has reached this point. */
export const failpoint = (point: Failpoint): void => reached?.(point);

/** Calls `work` at every failpoint from now on. */
export function onFailpoint(work: (point: Failpoint) => void): void {
  reached = work;
}
