/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib } from "./bound.ts";

/** Facts read from the database at once. */
export const mostPageFacts = 256;
/** Facts read from the database at once for one follower. */
export const mostFollowedFacts = 16;
/** Silence on the output of a command that has exited, in milliseconds. */
export const processSilenceAfterExitMs = 200;

/** Files, pictures and pages of facts */
export const fileBounds = {
  lockWait: {
    of: "wait for other processes that change the same files",
    most: 30_000,
    unit: "milliseconds",
    beyond: "the change fails, and nothing is written",
  },
  pathLevels: {
    of: "levels of a path in the workspace",
    most: 160,
    unit: "count",
    beyond: "the path is refused",
  },
  configuration: {
    of: "a configuration file",
    most: mib,
    unit: "bytes",
    beyond: "it is refused",
  },
  text: {
    of: "a text file sent with a message",
    most: 128 * kib,
    unit: "bytes",
    beyond: "the rest is left out, and the message says so; the model can read the file itself",
  },
  side: {
    of: "the longer side of an image in pixels",
    most: 8_000,
    unit: "count",
    beyond: "it is refused, with advice on how to make it smaller",
  },
  imageBytes: {
    of: "an image that a tool reads",
    most: 5 * mib,
    unit: "bytes",
    beyond: "it is refused",
  },
  readBytes: {
    of: "text read by one call",
    most: 100 * kib,
    unit: "bytes",
    beyond: "the model is told how to read on",
  },
} satisfies Area;

/** Output of commands */
export const outputBounds = {
  shown: {
    of: "command output shown to the model",
    most: 50 * kib,
    unit: "bytes",
    beyond: "its start and end are shown; the model can read the rest page by page",
  },
} satisfies Area;

/** HTTP */
export const httpBounds = {
  connectTime: {
    of: "connection attempt to a model server",
    most: 10_000,
    unit: "milliseconds",
    beyond: "the server counts as absent",
  },
  silence: {
    of: "silence of a remote model server, before or during its answer",
    most: 120_000,
    unit: "milliseconds",
    beyond: "the answer has failed; it may be requested again",
  },
  retryTime: {
    of: "retrying of a request to an overloaded or lost model server, in all (`--retry-for`)",
    most: 600_000,
    unit: "milliseconds",
    beyond: "the request fails, and says how long the server wants",
  },
} satisfies Area;

/** Requests for pages */
export const pageRequestBounds = {
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
} satisfies Area;
