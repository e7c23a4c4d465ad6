/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, count, kib, milliseconds, minutes } from "../base/bound.ts";

/** A string inside a stored fact, in bytes. */
export const mostFactTextBytes = 16 * kib;

/** What a session knows of itself */
export const factBounds = {
  stagedChanges: count(50, "staged changes of a session", "the oldest token expires"),
  stagedTime: milliseconds(
    10 * minutes,
    "time in which a staged change can be applied",
    "its token expires, and the change must be staged again",
  ),
} satisfies Area;
