/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, gib, kib, mib } from "../../base/bound.ts";

/** A settings file in which secrets are masked, in bytes. */
export const mostMaskedBytes = 64 * kib;
/** Trial run of the sandbox, in milliseconds. */
export const tryOutTimeMs = 30_000;
/** For which a launcher waits for the next command, in milliseconds: it holds a few megabytes. */
export const waitingLauncherMs = 300_000;

/** The sandbox */
export const sandboxBounds = {
  addedDisk: {
    of: "disk space that one sandboxed command may add (never more than half of what is free)",
    most: 32 * gib,
    unit: "bytes",
    beyond: "the command is stopped with everything it started, and the result says so",
  },
  processes: {
    of: "processes of one sandboxed command",
    most: 512,
    unit: "count",
    beyond: "it cannot start more",
  },
  fileBytes: {
    of: "a file written by a sandboxed command",
    most: 2 * gib,
    unit: "bytes",
    beyond: "the write fails",
  },
  overlayChanges: {
    of: "files changed by one sandboxed command",
    most: 5000,
    unit: "count",
    beyond: "further changes are made but cannot be undone, and the result says so",
  },
  overlayFileBytes: {
    of: "one file changed by a sandboxed command, stored for undo",
    most: 64 * mib,
    unit: "bytes",
    beyond: "its change cannot be undone, and the result says so",
  },
  overlayBytes: {
    of: "all files changed by one sandboxed command, stored for undo",
    most: 256 * mib,
    unit: "bytes",
    beyond: "the rest cannot be undone, and the result says so",
  },
  filledMs: {
    of: "the look for secrets in directories that tools fill (node_modules, .next …), before a command",
    most: 1000,
    unit: "milliseconds",
    beyond: "the command runs, and the result says where it may have seen one",
  },
  filledDirectories: {
    of: "directories looked at in directories that tools fill",
    most: 40_000,
    unit: "count",
    beyond: "the command runs, and the result says where it may have seen a secret",
  },
} satisfies Area;
