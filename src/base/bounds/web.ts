/** Limits of fetching and searching the web, and of detecting a project's checks. */

import { type Area, kib, mib } from "../bound.ts";

export const web = {
  address: {
    of: "an address to fetch",
    most: 4 * kib,
    unit: "characters",
    beyond: "it is refused",
  },
  page: {
    of: "a fetched page, decoded",
    most: 5 * mib,
    unit: "bytes",
    beyond: "the transfer is ended, and the call fails",
  },
  ratio: {
    of: "growth of a fetched page when it is decompressed (times its size)",
    most: 100,
    unit: "count",
    beyond: "the transfer is ended, and the call fails",
  },
  ratioFrom: {
    of: "a decompressed page that may have grown by any factor",
    most: 256 * kib,
    unit: "bytes",
    beyond: "the limit of growth applies",
  },
  headers: {
    of: "headers of a fetched page",
    most: 32 * kib,
    unit: "bytes",
    beyond: "the connection is closed, and the call fails",
  },
  redirects: {
    of: "redirects followed by a fetch",
    most: 5,
    unit: "count",
    beyond: "the call fails",
  },
  time: {
    of: "one fetch, redirects included",
    most: 30_000,
    unit: "milliseconds",
    beyond: "it is ended, and the call fails",
  },
  silence: {
    of: "silence of a server during a fetch",
    most: 10_000,
    unit: "milliseconds",
    beyond: "the connection is closed, and the call fails",
  },
  shown: {
    of: "text of a fetched page shown to the model at once",
    most: 32 * kib,
    unit: "characters",
    beyond: "the model is told how to read on; all of it is kept",
  },
  convertTime: {
    of: "conversion of a fetched page to Markdown",
    most: 5_000,
    unit: "milliseconds",
    beyond: "it is ended, and the bare text of the page is shown",
  },
  convertMemory: {
    of: "memory for the conversion of a fetched page to Markdown",
    most: 256 * mib,
    unit: "bytes",
    beyond: "it is ended, and the bare text of the page is shown",
  },
  converted: {
    of: "the Markdown of a fetched page",
    most: 10 * mib,
    unit: "bytes",
    beyond: "the bare text of the page is shown",
  },
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
} as const satisfies Area;

export const checks = {
  file: {
    of: "a file searched for a project's checks",
    most: mib,
    unit: "bytes",
    beyond: "it is not examined",
  },
  entries: {
    of: "entries of a directory searched for a project's checks",
    most: 2000,
    unit: "count",
    beyond: "further ones are not examined",
  },
  listed: {
    of: "checks of a directory offered to the model",
    most: 60,
    unit: "count",
    beyond: "further ones are left out",
  },
} as const satisfies Area;
