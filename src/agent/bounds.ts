/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib } from "../base/bound.ts";

/** A turn */
export const turnBounds = {
  keptAfterFile: {
    of: "new content of one changed file, stored next to the old content",
    most: mib,
    unit: "bytes",
    beyond: "it is read from the disk when needed, if it is still there",
  },
  keptAfter: {
    of: "new contents of all files of one change, stored next to the old contents",
    most: 32 * mib,
    unit: "bytes",
    beyond: "the others are read from the disk when needed, if they are still there",
  },
  heldBack: {
    of: "times that hooks can keep a turn from ending",
    most: 3,
    unit: "count",
    beyond: "the turn ends anyway",
  },
  answerCalls: {
    of: "calls in one answer",
    most: 300,
    unit: "count",
    beyond: "the rest are not started, and the model is told",
  },
  shownDiff: {
    of: "diff of a staged change shown to the model",
    most: 16 * kib,
    unit: "bytes",
    beyond: "the rest is left out, and the result says so",
  },
} satisfies Area;
