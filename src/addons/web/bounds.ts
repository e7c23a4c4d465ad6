/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, mib } from "../../base/bound.ts";

/** Searching the web */
export const webSearchBounds = {
  query: {
    of: "the words of a web search",
    most: 1000,
    unit: "characters",
    beyond: "it is refused",
  },
  searchTime: {
    of: "a web search",
    most: 30_000,
    unit: "milliseconds",
    beyond: "it is ended, and the call fails",
  },
  searchOutput: {
    of: "output of a search command",
    most: mib,
    unit: "bytes",
    beyond: "the middle is left out",
  },
  found: {
    of: "web search results shown to the model",
    most: 10,
    unit: "count",
    beyond: "the others are left out",
  },
  snippet: {
    of: "excerpt of one web search result",
    most: 400,
    unit: "characters",
    beyond: "the rest is left out",
  },
} satisfies Area;
