/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, gib, kib, mib, minutes } from "../base/bound.ts";

/** An open session */
export const sessionBounds = {
  looseTime: {
    of: "age of stored content that no fact refers to",
    most: 24 * 60 * minutes,
    unit: "milliseconds",
    beyond: "it is deleted at the next opportunity",
  },
  lease: {
    of: "silence of a process that holds a session and cannot be inspected",
    most: 60_000,
    unit: "milliseconds",
    beyond: "it is presumed dead, and the session can be opened elsewhere",
  },
  windowFacts: {
    of: "facts of an open session held in memory",
    most: 4096,
    unit: "count",
    beyond: "older facts are read from the database on demand",
  },
  windowText: {
    of: "text of the facts of an open session held in memory",
    most: 8 * mib,
    unit: "characters",
    beyond: "older facts are read from the database on demand",
  },
  pageText: {
    of: "text of the facts read from the database at once",
    most: 8 * mib,
    unit: "characters",
    beyond: "the page ends with the fact that reaches the limit",
  },
  followedText: {
    of: "text of the facts read from the database at once for one follower",
    most: 256 * kib,
    unit: "characters",
    beyond: "the page ends with the fact that reaches the limit",
  },
  followerSignals: {
    of: "signals waiting for one slow follower of a session",
    most: 256,
    unit: "count",
    beyond:
      "the oldest are dropped; the follower gets the open text again in full, and the rest from the facts",
  },
  followerText: {
    of: "text of the signals waiting for one slow follower of a session",
    most: mib,
    unit: "characters",
    beyond:
      "the oldest are dropped; the follower gets the open text again in full, and the rest from the facts",
  },
  signalText: {
    of: "output of one command between two batches of signals",
    most: mib,
    unit: "characters",
    beyond: "the older part is not shown live; the result contains what is kept of it",
  },
  bundleBytes: {
    of: "a session exported to, or imported from, one file",
    most: gib,
    unit: "bytes",
    beyond: "contents beyond it are left out, and the export says so; a larger file is refused",
  },
  bundleLine: {
    of: "one line of an exported session",
    most: 128 * mib,
    unit: "bytes",
    beyond: "longer content is left out, and the export says so; a file with a longer line is refused",
  },
  databaseWait: {
    of: "wait for other processes that write to the database",
    most: 5_000,
    unit: "milliseconds",
    beyond: "the write fails with advice, and nothing is stored",
  },
} satisfies Area;

/** Undo */
export const undoBounds = {
  keptImages: {
    of: "stored contents for undo and staged changes, all sessions together",
    most: gib,
    unit: "bytes",
    beyond: "the oldest are dropped; those changes can no longer be undone",
  },
  fileBytes: {
    of: "a file that can be changed, staged or undone",
    most: 64 * mib,
    unit: "bytes",
    beyond: "the change is refused",
  },
  comparedBytes: {
    of: "a file whose single hunks can be undone",
    most: 8 * mib,
    unit: "bytes",
    beyond: "it can only be undone as a whole",
  },
  recordEntries: {
    of: "files and directories recorded before a command that runs without a layer",
    most: 50_000,
    unit: "count",
    beyond: "changes to the rest cannot be undone, and the result says so",
  },
  recordNamedBytes: {
    of: "contents recorded before a command without a layer: files that it names",
    most: 256 * mib,
    unit: "bytes",
    beyond: "changes to the rest cannot be undone, and the result says so",
  },
  recordOtherBytes: {
    of: "contents recorded before a command without a layer: other files that are not in git",
    most: 16 * mib,
    unit: "bytes",
    beyond: "changes to the rest cannot be undone, and the result says so",
  },
  recordChangedBytes: {
    of: "contents of the files that a command without a layer changed",
    most: 512 * mib,
    unit: "bytes",
    beyond: "changes to the rest cannot be undone, and the result says so",
  },
  recordMemory: {
    of: "recorded contents held in memory between commands without a layer",
    most: 64 * mib,
    unit: "bytes",
    beyond: "the rest is read again",
  },
  gitTime: {
    of: "one git command that Toolwright runs to learn about files",
    most: 20_000,
    unit: "milliseconds",
    beyond: "it is stopped, and less is known about the files",
  },
  gitOutput: {
    of: "output of one such git command",
    most: 512 * mib,
    unit: "bytes",
    beyond: "it is stopped, and less is known about the files",
  },
} satisfies Area;
