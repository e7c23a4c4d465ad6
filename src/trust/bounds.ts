/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib } from "../base/bound.ts";

/** The file that records what is trusted of a workspace, in bytes. */
export const mostTrustFileBytes = 8 * mib;

/** What a workspace brings along */
export const trustBounds = {
  agreed: {
    of: "trusted items of a workspace",
    most: 1_000,
    unit: "count",
    beyond: "the oldest must be approved again",
  },
  shownFile: {
    of: "a file that would run, as shown to a person",
    most: 64 * kib,
    unit: "bytes",
    beyond: "the rest is left out, with a note",
  },
} satisfies Area;
