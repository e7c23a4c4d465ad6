/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, gib, kib, mib, minutes } from "../base/bound.ts";

/** Comparison of one file for a diff, in milliseconds. */
export const diffTimeMs = 500;

/** Tools */
export const toolBounds = {
  resultPage: {
    of: "one page of an earlier result that the model reads again",
    most: 16 * kib,
    unit: "bytes",
    beyond: "the model is told how to read on",
  },
  reach: {
    of: "distance into a large file at which lines can be read",
    most: gib,
    unit: "bytes",
    beyond: "the read fails and says so",
  },
  lineText: {
    of: "one line of a large file",
    most: 16 * kib,
    unit: "characters",
    beyond: "the rest of the line is left out",
  },
  fileBytes: {
    of: "a file that is read or searched",
    most: 16 * mib,
    unit: "bytes",
    beyond: "it is refused, with other ways to read it",
  },
  readLines: {
    of: "lines read by one call",
    most: 2000,
    unit: "count",
    beyond: "the model is told how to read on",
  },
  listedEntries: {
    of: "entries of one directory listing",
    most: 1000,
    unit: "count",
    beyond: "the rest are left out, and the result says so",
  },
  searchHits: {
    of: "lines found by one search",
    most: 200,
    unit: "count",
    beyond: "the rest are left out, and the result says so",
  },
  searchBytes: {
    of: "text shown by one search",
    most: 50 * kib,
    unit: "bytes",
    beyond: "the rest is left out, and the result says so",
  },
  diffBytes: {
    of: "a diff shown to a person",
    most: 100 * kib,
    unit: "bytes",
    beyond: "the rest is left out, and the diff says so",
  },
} satisfies Area;

/** Commands */
export const commandBounds = {
  output: {
    of: "output kept of one command",
    most: 8 * mib,
    unit: "bytes",
    beyond: "its start and end are kept, with a note of how much is missing",
  },
  wholeOutput: {
    of: "output of one command, whether kept or not",
    most: 512 * mib,
    unit: "bytes",
    beyond: "the command is stopped with everything it started, and the result says so",
  },
  silence: {
    of: "a command without output, unless the call sets a time",
    most: 2 * minutes,
    unit: "milliseconds",
    beyond: "it is stopped with everything it started",
  },
  time: {
    of: "a command, unless the call sets a time",
    most: 10 * minutes,
    unit: "milliseconds",
    beyond: "it is stopped with everything it started",
  },
  askedTime: {
    of: "the time that a call can set for a command",
    most: 60 * minutes,
    unit: "milliseconds",
    beyond: "this time is used",
  },
} satisfies Area;

/** Terminals */
export const terminalBounds = {
  log: {
    of: "output of one terminal that can be read back",
    most: 2 * mib,
    unit: "characters",
    beyond: "the oldest is dropped",
  },
  running: {
    of: "terminals running in a session",
    most: 8,
    unit: "count",
    beyond: "another one is refused, with the names of the running ones",
  },
  typedText: {
    of: "text typed into a terminal by one call",
    most: 64 * kib,
    unit: "characters",
    beyond: "it is refused",
  },
  waitTime: {
    of: "wait for a terminal, unless the call sets a time",
    most: 30_000,
    unit: "milliseconds",
    beyond: "the model is told what the terminal shows",
  },
  askedTime: {
    of: "the time that a call can set for a terminal",
    most: 60 * minutes,
    unit: "milliseconds",
    beyond: "this time is used",
  },
} satisfies Area;

/** Fetching a page */
export const fetchBounds = {
  shown: {
    of: "text of a fetched page shown to the model at once",
    most: 32 * kib,
    unit: "characters",
    beyond: "the model is told how to read on; all of it is kept",
  },
} satisfies Area;
