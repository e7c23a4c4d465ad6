/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, gib, kib, mib } from "../../base/bound.ts";

/** The sandbox */
export const sandboxBounds = {
  registries: {
    of: "a file that names package registries",
    most: 256 * kib,
    unit: "characters",
    beyond: "the rest is not read",
  },
  repository: {
    of: "a file in which git keeps its settings",
    most: 256 * kib,
    unit: "bytes",
    beyond: "the repository counts as unusual, and commands can only read it",
  },
  masked: {
    of: "a settings file in which secrets are masked",
    most: 64 * kib,
    unit: "bytes",
    beyond: "the whole file is hidden",
  },
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
  protectedCopies: {
    of: "protected places that are copied before a git command, where Landlock is the sandbox",
    most: 16 * mib,
    unit: "bytes",
    beyond: "the command is refused",
  },
  layerChanges: {
    of: "files changed by one sandboxed command",
    most: 5000,
    unit: "count",
    beyond: "further changes are made but cannot be undone, and the result says so",
  },
  layerFileBytes: {
    of: "one file changed by a sandboxed command, stored for undo",
    most: 64 * mib,
    unit: "bytes",
    beyond: "its change cannot be undone, and the result says so",
  },
  layerBytes: {
    of: "all files changed by one sandboxed command, stored for undo",
    most: 256 * mib,
    unit: "bytes",
    beyond: "the rest cannot be undone, and the result says so",
  },
  layerTime: {
    of: "remounting of a sandboxed command's layer to inspect its changes",
    most: 10_000,
    unit: "milliseconds",
    beyond: "the inspection fails, and the result says so",
  },
  trialTime: {
    of: "trial run of the sandbox",
    most: 30_000,
    unit: "milliseconds",
    beyond: "the sandbox counts as unavailable",
  },
  connections: {
    of: "connections of one command through the sandbox's proxy",
    most: 256,
    unit: "count",
    beyond: "another one is refused",
  },
  connectionSilence: {
    of: "silence on a connection through the sandbox's proxy",
    most: 120_000,
    unit: "milliseconds",
    beyond: "it is closed",
  },
} satisfies Area;
