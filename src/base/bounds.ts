/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, count, kib, mib, milliseconds } from "./bound.ts";

/** Facts read from the database at once. */
export const mostPageFacts = 256;
/** Facts read from the database at once for one follower. */
export const mostFollowedFacts = 16;
/** Silence on the output of a command that has exited, in milliseconds. */
export const processSilenceAfterExitMs = 200;

/** Files, pictures and pages of facts */
export const fileBounds = {
  lockWait: milliseconds(
    30_000,
    "wait for other processes that change the same files",
    "the change fails, and nothing is written",
  ),
  pathLevels: count(160, "levels of a path in the workspace", "the path is refused"),
  configuration: bytes(mib, "a configuration file", "it is refused"),
  text: bytes(
    128 * kib,
    "a text file sent with a message",
    "the rest is left out, and the message says so; the model can read the file itself",
  ),
  side: count(
    8_000,
    "the longer side of an image in pixels",
    "it is refused, with advice on how to make it smaller",
  ),
  imageBytes: bytes(5 * mib, "an image that a tool reads", "it is refused"),
  readBytes: bytes(100 * kib, "text read by one call", "the model is told how to read on"),
} satisfies Area;

/** Output of commands */
export const outputBounds = {
  shown: bytes(
    50 * kib,
    "command output shown to the model",
    "its start and end are shown; the model can read the rest page by page",
  ),
} satisfies Area;

/** HTTP */
export const httpBounds = {
  connectTime: milliseconds(10_000, "connection attempt to a model server", "the server counts as absent"),
  silence: milliseconds(
    120_000,
    "silence of a remote model server, before or during its answer",
    "the answer has failed; it may be requested again",
  ),
  retryTime: milliseconds(
    600_000,
    "retrying of a request to an overloaded or lost model server, in all (`--retry-for`)",
    "the request fails, and says how long the server wants",
  ),
} satisfies Area;

/** Requests for pages */
export const pageRequestBounds = {
  page: bytes(5 * mib, "a fetched page, decoded", "the transfer is ended, and the call fails"),
  ratio: count(
    100,
    "growth of a fetched page when it is decompressed (times its size)",
    "the transfer is ended, and the call fails",
  ),
  redirects: count(5, "redirects followed by a fetch", "the call fails"),
  time: milliseconds(30_000, "one fetch, redirects included", "it is ended, and the call fails"),
} satisfies Area;
