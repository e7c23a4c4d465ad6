/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, count } from "../base/bound.ts";

/** What a workspace brings along */
export const trustBounds = {
  agreed: count(1_000, "trusted items of a workspace", "the oldest must be approved again"),
} satisfies Area;
