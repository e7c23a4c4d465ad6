/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, count, mib, milliseconds } from "../../base/bound.ts";

/** Files open in a language server at the same time. */
export const mostOpenDocuments = 40;
/** Files and directories examined to tell language servers what changed. */
export const mostChangedEntries = 5000;
/** Files whose problems are kept, per language server. */
export const mostFilesWithProblems = 2000;

/** Language servers */
export const languageServerBounds = {
  wait: milliseconds(
    5_000,
    "time for which an edit's result waits for new problems",
    "the result comes without them; a later result contains them",
  ),
  request: milliseconds(20_000, "a tool's request to a language server", "the call fails and says so"),
  restarts: count(
    4,
    "failed starts and crashes of a language server in a session",
    "it is not started again, and the reason is given",
  ),
  together: count(4, "language servers of a session at the same time", "the least recently used is ended"),
  message: bytes(32 * mib, "a message of a language server", "the server is ended, and tried again later"),
  document: bytes(2 * mib, "a file opened in a language server", "it is not checked, and the result says so"),
  renamed: count(500, "files changed by a rename", "the call fails, and nothing is changed"),
} satisfies Area;
