/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, count, gib, mib, milliseconds } from "../base/bound.ts";

/** One line of an exported session, in bytes. */
export const mostBundleLineBytes = 128 * mib;

/** Facts of an open session held in memory; older ones are read from the store on demand. */
export const mostWindowFacts = 4096;

/** An open session */
export const sessionBounds = {
  lease: milliseconds(
    60_000,
    "silence of a process that holds a session and cannot be inspected",
    "it is presumed dead, and the session can be opened elsewhere",
  ),
  serverAway: milliseconds(
    30_000,
    "absence of the PostgreSQL server that keeps the sessions",
    "what was to be stored or read fails, with what to do; nothing that was stored is lost",
  ),
  serverConnections: count(8, "connections of one program to that server", "further requests wait for one"),
  bundleBytes: bytes(
    gib,
    "a session exported to, or imported from, one file",
    "contents beyond it are left out, and the export says so; a larger file is refused",
  ),
} satisfies Area;

/** Undo */
export const undoBounds = {
  keptImages: bytes(
    gib,
    "stored contents for undo and staged changes, all sessions together",
    "the oldest are dropped; those changes can no longer be undone",
  ),
  comparedBytes: bytes(
    8 * mib,
    "a file whose single hunks can be undone",
    "it can only be undone as a whole",
  ),
  keptReferences: count(
    200,
    "states of a repository's references that are kept after commands moved them (in `refs/toolwright`)",
    "the oldest are dropped, and git's own clean-up may remove what only they led to",
  ),
  recordEntries: count(
    50_000,
    "files and directories recorded before a command that runs without a layer",
    "changes to the rest cannot be undone, and the result says so",
  ),
  recordOtherBytes: bytes(
    16 * mib,
    "contents recorded before a command without a layer: other files that are not in git",
    "changes to the rest cannot be undone, and the result says so",
  ),
  recordChangedBytes: bytes(
    512 * mib,
    "contents of the files that a command without a layer changed",
    "changes to the rest cannot be undone, and the result says so",
  ),
} satisfies Area;
