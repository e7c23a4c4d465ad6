/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, gib, mib } from "../base/bound.ts";

/** One line of an exported session, in bytes. */
export const mostBundleLineBytes = 128 * mib;

/** An open session */
export const sessionBounds = {
  lease: {
    of: "silence of a process that holds a session and cannot be inspected",
    most: 60_000,
    unit: "milliseconds",
    beyond: "it is presumed dead, and the session can be opened elsewhere",
  },
  serverAway: {
    of: "absence of the PostgreSQL server that keeps the sessions",
    most: 30_000,
    unit: "milliseconds",
    beyond: "what was to be stored or read fails, with what to do; nothing that was stored is lost",
  },
  serverConnections: {
    of: "connections of one program to that server",
    most: 8,
    unit: "count",
    beyond: "further requests wait for one",
  },
  windowFacts: {
    of: "facts of an open session held in memory",
    most: 4096,
    unit: "count",
    beyond: "older facts are read from the database on demand",
  },
  bundleBytes: {
    of: "a session exported to, or imported from, one file",
    most: gib,
    unit: "bytes",
    beyond: "contents beyond it are left out, and the export says so; a larger file is refused",
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
  keptReferences: {
    of: "states of a repository's references that are kept after commands moved them (in `refs/toolwright`)",
    most: 200,
    unit: "count",
    beyond: "the oldest are dropped, and git's own clean-up may remove what only they led to",
  },
  keptReferencesMs: {
    of: "time for which such a state is kept",
    most: 30 * 24 * 60 * 60_000,
    unit: "milliseconds",
    beyond: "the same",
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
} satisfies Area;
