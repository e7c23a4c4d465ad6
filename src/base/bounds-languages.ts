/** Bounds of language servers. */

import { type Area, kib, mib, minutes } from "./bound.ts";

export const languages = {
  wait: {
    of: "how long an edit's result waits for new problems",
    most: 5_000,
    unit: "milliseconds",
    beyond: "the result comes without them, and they come with a later one",
  },
  start: {
    of: "the start of a language server",
    most: 30_000,
    unit: "milliseconds",
    beyond: "it is ended, and tried again later",
  },
  request: {
    of: "a question of a tool to a language server",
    most: 20_000,
    unit: "milliseconds",
    beyond: "the call fails, and says so",
  },
  restarts: {
    of: "starts of a language server that fail or end in a crash, in a session",
    most: 4,
    unit: "count",
    beyond: "it is not started again, and why is told",
  },
  together: {
    of: "language servers of a session at the same time",
    most: 4,
    unit: "count",
    beyond: "the one that was used longest ago is ended",
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
    of: "what a language server sends within ten seconds",
    most: 128 * mib,
    unit: "bytes",
    beyond: "the server is ended, and tried again later",
  },
  works: {
    of: "work that a language server has announced and not ended",
    most: 100,
    unit: "count",
    beyond: "further work is not waited for",
  },
  silentWork: {
    of: "work that a language server has announced and then says nothing of",
    most: 5 * minutes,
    unit: "milliseconds",
    beyond: "it counts as ended",
  },
  unread: {
    of: "what a language server has not read yet",
    most: 64 * mib,
    unit: "bytes",
    beyond: "the server is ended, and tried again later",
  },
  lastWords: {
    of: "the end of what a language server writes to its standard error that is kept",
    most: 4 * kib,
    unit: "bytes",
    beyond: "what is older is dropped",
  },
  documents: {
    of: "files that a language server is told the content of, at the same time",
    most: 40,
    unit: "count",
    beyond: "the one that was used longest ago is closed there",
  },
  document: {
    of: "a file that a language server is told the content of",
    most: 2 * mib,
    unit: "bytes",
    beyond: "it is not checked, and that is said",
  },
  files: {
    of: "files whose problems are kept, for each language server",
    most: 2000,
    unit: "count",
    beyond: "problems of further files are dropped",
  },
  problems: {
    of: "problems of a file that are kept",
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
    of: "problems that the model is told at a time",
    most: 20,
    unit: "count",
    beyond: "further ones are only counted",
  },
  places: {
    of: "places of a symbol that the model is told at a time",
    most: 100,
    unit: "count",
    beyond: "further ones are only counted",
  },
  renamed: {
    of: "files that a rename changes",
    most: 500,
    unit: "count",
    beyond: "the call fails, and nothing is changed",
  },
} as const satisfies Area;
