/**
 * Bounds of what is fetched from the web, searched there, and of how the checks of a project are found. A part of the
 * table in bounds.ts.
 */

import { type Area, kib, mib } from "./bound.ts";

export const web = {
  address: {
    of: "an address that is fetched",
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
    of: "how many times longer a fetched page becomes when it is unpacked",
    most: 100,
    unit: "count",
    beyond: "the transfer is ended, and the call fails",
  },
  ratioFrom: {
    of: "an unpacked page for which that does not count",
    most: 256 * kib,
    unit: "bytes",
    beyond: "it counts",
  },
  headers: {
    of: "headers of a fetched page",
    most: 32 * kib,
    unit: "bytes",
    beyond: "the connection is ended, and the call fails",
  },
  redirects: {
    of: "redirects that a fetch follows",
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
    of: "silence of a server while something is fetched there",
    most: 10_000,
    unit: "milliseconds",
    beyond: "the connection is ended, and the call fails",
  },
  shown: {
    of: "text of a fetched page that the model is shown at once",
    most: 32 * kib,
    unit: "characters",
    beyond: "it is told how to read on; all of it is kept",
  },
  convertTime: {
    of: "making Markdown of a fetched page",
    most: 5_000,
    unit: "milliseconds",
    beyond: "it is ended, and the bare text of the page is shown",
  },
  convertMemory: {
    of: "memory for that",
    most: 256 * mib,
    unit: "bytes",
    beyond: "it is ended, and the bare text of the page is shown",
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
    of: "what a search program prints",
    most: mib,
    unit: "bytes",
    beyond: "the middle is left out",
  },
  found: {
    of: "results of a web search that the model is shown",
    most: 10,
    unit: "count",
    beyond: "the others are left out",
  },
  snippet: {
    of: "what is told of one of them",
    most: 400,
    unit: "characters",
    beyond: "the rest is left out",
  },
} as const satisfies Area;

export const checks = {
  file: {
    of: "a file in which the checks of a project are looked for",
    most: mib,
    unit: "bytes",
    beyond: "it is not looked at",
  },
  entries: {
    of: "names in a directory that are looked at for that",
    most: 2000,
    unit: "count",
    beyond: "further ones are not",
  },
  listed: {
    of: "checks of a directory that are told",
    most: 60,
    unit: "count",
    beyond: "further ones are left out",
  },
} as const satisfies Area;
