/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, mib } from "../../base/bound.ts";

/** Files open in a language server at the same time. */
export const mostOpenDocuments = 40;
/** Files and directories examined to tell language servers what changed. */
export const mostChangedEntries = 5000;
/** Files whose problems are kept, per language server. */
export const mostFilesWithProblems = 2000;

/** Language servers */
export const languageServerBounds = {
  wait: {
    of: "time for which an edit's result waits for new problems",
    most: 5_000,
    unit: "milliseconds",
    beyond: "the result comes without them; a later result contains them",
  },
  start: {
    of: "start of a language server",
    most: 30_000,
    unit: "milliseconds",
    beyond: "it is ended, and tried again later",
  },
  request: {
    of: "a tool's request to a language server",
    most: 20_000,
    unit: "milliseconds",
    beyond: "the call fails and says so",
  },
  restarts: {
    of: "failed starts and crashes of a language server in a session",
    most: 4,
    unit: "count",
    beyond: "it is not started again, and the reason is given",
  },
  together: {
    of: "language servers of a session at the same time",
    most: 4,
    unit: "count",
    beyond: "the least recently used is ended",
  },
  message: {
    of: "a message of a language server",
    most: 32 * mib,
    unit: "bytes",
    beyond: "the server is ended, and tried again later",
  },
  document: {
    of: "a file opened in a language server",
    most: 2 * mib,
    unit: "bytes",
    beyond: "it is not checked, and the result says so",
  },
  renamed: {
    of: "files changed by a rename",
    most: 500,
    unit: "count",
    beyond: "the call fails, and nothing is changed",
  },
} satisfies Area;
