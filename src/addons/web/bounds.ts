/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, milliseconds } from "../../base/bound.ts";

/** Searching the web */
export const webSearchBounds = {
  searchTime: milliseconds(30_000, "a web search", "it is ended, and the call fails"),
} satisfies Area;
