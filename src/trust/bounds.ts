/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, count, kib, mib } from "../base/bound.ts";

/** The file that records what is trusted of a workspace, in bytes. */
export const mostTrustFileBytes = 8 * mib;

/** What a workspace brings along */
export const trustBounds = {
  agreed: count(1_000, "trusted items of a workspace", "the oldest must be approved again"),
  shownFile: bytes(
    64 * kib,
    "a file that would run, as shown to a person",
    "the rest is left out, with a note",
  ),
} satisfies Area;
