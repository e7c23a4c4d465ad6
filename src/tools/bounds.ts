/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, gib, kib, mib, minutes } from "../base/bound.ts";

/** Tools */
export const toolBounds = {
  listed: {
    of: "names and descriptions of agents given to the model with the tool",
    most: 2_000,
    unit: "characters",
    beyond: "further ones are not described, but can be used by name",
  },
  found: {
    of: "tools found by one search for tools",
    most: 8,
    unit: "count",
    beyond: "only the best matches are returned",
  },
  resultPage: {
    of: "one page of an earlier result that the model reads again",
    most: 16 * kib,
    unit: "bytes",
    beyond: "the model is told how to read on",
  },
  searchedBytes: {
    of: "lines of one search that are checked against the files themselves",
    most: 16 * mib,
    unit: "bytes",
    beyond: "the rest of them are not shown",
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
  comparedBytes: {
    of: "a file whose changed lines are counted (+1 −1)",
    most: 8 * mib,
    unit: "bytes",
    beyond: "all its lines count as changed",
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
  searchTime: {
    of: "one run of the search program",
    most: 60_000,
    unit: "milliseconds",
    beyond: "it is stopped, and the search fails",
  },
  searchOutput: {
    of: "output of one run of the search program",
    most: 128 * mib,
    unit: "bytes",
    beyond: "the middle is left out, and the result says so",
  },
  searchFallbackTime: {
    of: "one search without the search program",
    most: 2_000,
    unit: "milliseconds",
    beyond: "the search fails, with advice",
  },
  ignoreBytes: {
    of: "a `.gitignore` file",
    most: mib,
    unit: "bytes",
    beyond: "it is ignored",
  },
  patchText: {
    of: "a patch",
    most: 32 * mib,
    unit: "characters",
    beyond: "it is refused",
  },
  diffBytes: {
    of: "a diff shown to a person",
    most: 100 * kib,
    unit: "bytes",
    beyond: "the rest is left out, and the diff says so",
  },
  diffTime: {
    of: "comparison of one file for a diff",
    most: 500,
    unit: "milliseconds",
    beyond: "all its lines are shown as replaced",
  },
  schemas: {
    of: "compiled tool schemas kept",
    most: 16,
    unit: "count",
    beyond: "the least recently used is compiled again when needed",
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
  liveText: {
    of: "terminal output shown live while a call waits",
    most: 256 * kib,
    unit: "characters",
    beyond: "the rest is not shown live; the result contains its end",
  },
  searchedText: {
    of: "terminal output in which a pattern is searched",
    most: 256 * kib,
    unit: "characters",
    beyond: "only the newest is searched",
  },
  searchTime: {
    of: "one search for a pattern in terminal output",
    most: 250,
    unit: "milliseconds",
    beyond: "the pattern counts as too slow, and the model is told",
  },
  endTime: {
    of: "wait for a terminal that was told to end",
    most: 2_000,
    unit: "milliseconds",
    beyond: "it counts as gone, and the result says so",
  },
  finishTime: {
    of: "inspection of what a terminal's program left behind",
    most: 10_000,
    unit: "milliseconds",
    beyond: "it is not reported",
  },
  running: {
    of: "terminals running in a session",
    most: 8,
    unit: "count",
    beyond: "another one is refused, with the names of the running ones",
  },
  ended: {
    of: "ended terminals that can still be read",
    most: 16,
    unit: "count",
    beyond: "the oldest is dropped, and processes it left running are ended",
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
} satisfies Area;
