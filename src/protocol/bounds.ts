/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, minutes } from "../base/bound.ts";

/** A string inside a stored fact, in bytes. */
export const mostFactTextBytes = 16 * kib;

/** What a session knows of itself */
export const factBounds = {
  stagedChanges: {
    of: "staged changes of a session",
    most: 50,
    unit: "count",
    beyond: "the oldest token expires",
  },
  stagedTime: {
    of: "time in which a staged change can be applied",
    most: 10 * minutes,
    unit: "milliseconds",
    beyond: "its token expires, and the change must be staged again",
  },
} satisfies Area;
