/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, mib } from "../base/bound.ts";

/** Calls written as text */
export const textCallBounds = {
  callText: {
    of: "one call written as text",
    most: 8 * mib,
    unit: "characters",
    beyond: "the call is rejected, and the model is told",
  },
  textCalls: {
    of: "calls written as text in one answer",
    most: 32,
    unit: "count",
    beyond: "the rest are rejected, and the model is told",
  },
} satisfies Area;
