/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib, minutes } from "../../base/bound.ts";

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
  header: {
    of: "the header of a language server's message",
    most: 8 * kib,
    unit: "bytes",
    beyond: "the server is ended, and tried again later",
  },
  flood: {
    of: "messages of a language server within ten seconds",
    most: 20_000,
    unit: "count",
    beyond: "the server is ended, and tried again later",
  },
  poured: {
    of: "data from a language server within ten seconds",
    most: 128 * mib,
    unit: "bytes",
    beyond: "the server is ended, and tried again later",
  },
  works: {
    of: "unfinished work announced by a language server",
    most: 100,
    unit: "count",
    beyond: "further work is not waited for",
  },
  silentWork: {
    of: "silence about work that a language server has announced",
    most: 5 * minutes,
    unit: "milliseconds",
    beyond: "the work counts as finished",
  },
  unread: {
    of: "data that a language server has not read yet",
    most: 64 * mib,
    unit: "bytes",
    beyond: "the server is ended, and tried again later",
  },
  lastWords: {
    of: "end of a language server's standard error that is kept",
    most: 4 * kib,
    unit: "bytes",
    beyond: "the oldest is dropped",
  },
  documents: {
    of: "files open in a language server at the same time",
    most: 40,
    unit: "count",
    beyond: "the least recently used is closed there",
  },
  document: {
    of: "a file opened in a language server",
    most: 2 * mib,
    unit: "bytes",
    beyond: "it is not checked, and the result says so",
  },
  entries: {
    of: "files and directories examined to tell language servers what changed",
    most: 5000,
    unit: "count",
    beyond: "further ones are skipped",
  },
  files: {
    of: "files whose problems are kept, per language server",
    most: 2000,
    unit: "count",
    beyond: "problems of further files are dropped",
  },
  problems: {
    of: "problems kept per file",
    most: 500,
    unit: "count",
    beyond: "further ones are dropped",
  },
  words: {
    of: "the text of a problem",
    most: 600,
    unit: "characters",
    beyond: "its end is left out",
  },
  told: {
    of: "problems shown to the model at a time",
    most: 20,
    unit: "count",
    beyond: "further ones are only counted",
  },
  places: {
    of: "places of a symbol shown to the model at a time",
    most: 100,
    unit: "count",
    beyond: "further ones are only counted",
  },
  renamed: {
    of: "files changed by a rename",
    most: 500,
    unit: "count",
    beyond: "the call fails, and nothing is changed",
  },
} satisfies Area;
