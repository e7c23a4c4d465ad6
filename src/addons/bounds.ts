/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib } from "../base/bound.ts";

/** Texts that users add */
export const addedTextBounds = {
  file: {
    of: "an instruction file",
    most: 64 * kib,
    unit: "bytes",
    beyond: "the rest is left out, and people are told",
  },
} satisfies Area;
