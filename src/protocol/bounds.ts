/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, minutes } from "../base/bound.ts";

/** What a session knows of itself */
export const factBounds = {
  factText: {
    of: "a string inside a stored fact",
    most: 16 * kib,
    unit: "bytes",
    beyond: "it is stored separately, once for all facts that contain it",
  },
  knownMessages: {
    of: "message ids remembered to recognise a message that is sent twice",
    most: 256,
    unit: "count",
    beyond: "the oldest are forgotten",
  },
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
