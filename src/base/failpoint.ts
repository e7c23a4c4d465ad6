/**
 * Named moments at which tests let things go wrong: the process killed, the disk full. Outside tests they are nothing.
 */

/**
 * "call-ended": a tool has run, and its result is not stored yet. "file-change": a file is about to be put in place.
 * "image-kept": what is about to change is kept for undo. "shortening": a summary is there and not stored yet.
 * "migrating": the database is being brought up to date.
 */
export type Failpoint = "call-ended" | "file-change" | "image-kept" | "shortening" | "migrating";

let reached: ((point: Failpoint) => void) | undefined;

/** Says that the moment has come. */
export const failpoint = (point: Failpoint): void => reached?.(point);

/** Calls `work` at each moment from now on. */
export function onFailpoint(work: (point: Failpoint) => void): void {
  reached = work;
}
