/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, characters, count, kib, mib, milliseconds } from "./bound.ts";

/** A file in the state directory, which only this program itself writes, in bytes. */
export const mostStateFileBytes = 8 * mib;
/** Facts read from the database at once. */
export const mostPageFacts = 256;
/** Facts read from the database at once for one follower. */
export const mostFollowedFacts = 16;
/** Silence on the output of a command that has exited, in milliseconds. */
export const processSilenceAfterExitMs = 200;

/** Other programs */
export const otherProgramBounds = {
  message: bytes(
    32 * mib,
    "a message of another program: an editor, an MCP client, a client of the language-model server, a line of --input stream-json, a message with images to a gateway",
    "it is refused (413 over HTTP) and not kept; an editor's connection ends, and its sessions stay",
  ),
  text: characters(
    64 * kib,
    "one text that another program is given: an editor, a hook, an MCP client, or, if contents are enabled, telemetry",
    "the rest is left out, of a command's output its beginning; an MCP client is told how to read on",
  ),
  output: bytes(
    mib,
    "output of a program or address that you configured: a hook, a web search, the command of --ask-on or of your status line",
    "the rest is not read; an answer that this cut does not count",
  ),
} satisfies Area;

/** Files, pictures and pages of facts */
export const fileBounds = {
  lockWait: milliseconds(
    30_000,
    "wait for other processes that change the same files",
    "the change fails, and nothing is written",
  ),
  pathLevels: count(160, "levels of a path in the workspace", "the path is refused"),
  configuration: bytes(
    mib,
    "a configuration file: ours, a project's (searched for its checks), or one that an option names (a system prompt, the schema of an answer)",
    "it is refused, or not searched",
  ),
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
  imageBytes: bytes(
    5 * mib,
    "an image that is sent with a message, or read by a tool",
    "it is refused, with advice on how to make it smaller",
  ),
  images: count(
    20,
    "images of one message, and in one result of a tool server",
    "the message is not sent; of a result, the rest are left out, with a note",
  ),
  undoFileBytes: bytes(
    64 * mib,
    "a file that can be changed, staged or undone",
    "a change of it is refused; what a command does to it cannot be undone, and the result says so",
  ),
  undoBytes: bytes(
    256 * mib,
    "all contents stored for the undo of one command: of the files that it changed, or, without a layer, that it names",
    "what is new, or the rest, cannot be undone, and the result says so; what would be lost asks first",
  ),
  readBytes: bytes(
    100 * kib,
    "text read by one call, or answered by a tool server",
    "the model is told how to read on",
  ),
} satisfies Area;

/** What a call shows the model */
export const outputBounds = {
  shown: bytes(
    50 * kib,
    "command output, or what one search found, shown to the model",
    "of an output, its start and end are shown, and the model can read the rest page by page; of a search, the result says that there is more",
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
  time: milliseconds(
    30_000,
    "one fetch, redirects included, or one web search",
    "it is ended, and the call fails",
  ),
} satisfies Area;
