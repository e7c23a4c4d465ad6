/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area } from "../../base/bound.ts";

/** Searching the web */
export const webSearchBounds = {
  searchTime: {
    of: "a web search",
    most: 30_000,
    unit: "milliseconds",
    beyond: "it is ended, and the call fails",
  },
} satisfies Area;
