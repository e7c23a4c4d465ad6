/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, characters, count, gib, kib, mib, milliseconds, minutes } from "../base/bound.ts";

/** Comparison of one file for a diff, in milliseconds. */
export const diffTimeMs = 500;

/** Tools */
export const toolBounds = {
  resultPage: bytes(
    16 * kib,
    "one page of an earlier result that the model reads again, and the diff of a staged change that it is shown",
    "the model is told how to read on; of a diff the rest is left out, and the result says so",
  ),
  reach: bytes(gib, "distance into a large file at which lines can be read", "the read fails and says so"),
  fileBytes: bytes(16 * mib, "a file that is read or searched", "it is refused, with other ways to read it"),
  readLines: count(2000, "lines read by one call", "the model is told how to read on"),
  listedEntries: count(
    1000,
    "entries of one directory listing, or of a directory sent with a message",
    "the rest are left out, and the result says so",
  ),
  searchHits: count(200, "lines found by one search", "the rest are left out, and the result says so"),
  diffBytes: bytes(100 * kib, "a diff shown to a person", "the rest is left out, and the diff says so"),
} satisfies Area;

/** Commands */
export const commandBounds = {
  output: bytes(
    8 * mib,
    "output kept of one command",
    "its start and end are kept, with a note of how much is missing",
  ),
  wholeOutput: bytes(
    512 * mib,
    "output of one command, whether kept or not",
    "the command is stopped with everything it started, and the result says so",
  ),
  silence: milliseconds(
    2 * minutes,
    "a command without output, unless the call sets a time",
    "it is stopped with everything it started",
  ),
  time: milliseconds(
    10 * minutes,
    "a command, unless the call sets a time",
    "it is stopped with everything it started",
  ),
  askedTime: milliseconds(
    60 * minutes,
    "the time that a call can set for a command, or for a wait for a terminal",
    "this time is used",
  ),
} satisfies Area;

/** Terminals */
export const terminalBounds = {
  log: characters(2 * mib, "output of one terminal that can be read back", "the oldest is dropped"),
  running: count(
    8,
    "terminals running in a session",
    "another one is refused, with the names of the running ones",
  ),
  typedText: characters(64 * kib, "text typed into a terminal by one call", "it is refused"),
  waitTime: milliseconds(
    30_000,
    "wait for a terminal, unless the call sets a time",
    "the model is told what the terminal shows",
  ),
} satisfies Area;

/** Fetching a page */
export const fetchBounds = {
  shown: characters(
    32 * kib,
    "text of a fetched page shown to the model at once, and the report of a subagent",
    "the model is told how to read on; of a report, the middle is left out",
  ),
} satisfies Area;
