/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, mib } from "../base/bound.ts";

/** Answers of models */
export const wireBounds = {
  answerBytes: {
    of: "one streamed answer",
    most: 256 * mib,
    unit: "bytes",
    beyond: "it is cut off, and the request fails",
  },
} satisfies Area;
