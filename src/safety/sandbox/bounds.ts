/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, count, gib, kib, milliseconds } from "../../base/bound.ts";

/** A settings file in which secrets are masked, in bytes. */
export const mostMaskedBytes = 64 * kib;
/** Trial run of the sandbox, in milliseconds. */
export const tryOutTimeMs = 30_000;
/** For which a launcher waits for the next command, in milliseconds: it holds a few megabytes. */
export const waitingLauncherMs = 300_000;

/** Directories among those that tools fill which one look for secrets reaches: as many as its time allows. */
export const mostFilledDirectories = 40_000;

/** The sandbox */
export const sandboxBounds = {
  addedDisk: bytes(
    32 * gib,
    "disk space that one sandboxed command may add (never more than half of what is free)",
    "the command is stopped with everything it started, and the result says so",
  ),
  processes: count(512, "processes of one sandboxed command", "it cannot start more"),
  fileBytes: bytes(2 * gib, "a file written by a sandboxed command", "the write fails"),
  overlayChanges: count(
    5000,
    "files changed by one sandboxed command",
    "what is new cannot be undone, and the result says so; what would be lost asks first",
  ),
  filledMs: milliseconds(
    1000,
    "the look for secrets in directories that tools fill (node_modules, .next …), before a command",
    "the command runs, and the result says where it may have seen one",
  ),
} satisfies Area;
