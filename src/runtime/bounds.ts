/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib } from "../base/bound.ts";

/** Settings and sessions */
export const runtimeBounds = {
  log: {
    of: "the log file",
    most: 32 * mib,
    unit: "bytes",
    beyond: "it is renamed, replacing the previous one, and a new file is begun",
  },
  logWords: {
    of: "the text of a warning or failure in the log file",
    most: 500,
    unit: "characters",
    beyond: "the rest is left out",
  },
  grants: {
    of: "permissions stored for a project",
    most: 4 * mib,
    unit: "bytes",
    beyond: "none of them apply, and a warning says so",
  },
  approvalTime: {
    of: "wait for an answer over the chat protocol, unless configured otherwise",
    most: 60_000,
    unit: "milliseconds",
    beyond: "the question counts as answered with no, and the client is told",
  },
  windowTime: {
    of: "query for the size of a model's context window",
    most: 2_000,
    unit: "milliseconds",
    beyond: "the usual size is assumed",
  },
  keptKeys: {
    of: "the file of the keys that `toolwright login` keeps",
    most: 64 * kib,
    unit: "bytes",
    beyond: "it is not used, and a warning says so",
  },
  keyLength: {
    of: "a key handed to `toolwright login`",
    most: 4 * kib,
    unit: "characters",
    beyond: "it is refused",
  },
  keyTrial: {
    of: "trial of a key by `toolwright login`",
    most: 20_000,
    unit: "milliseconds",
    beyond: "the key is not kept, and a message says why",
  },
  versionTime: {
    of: "query for a program's version",
    most: 5_000,
    unit: "milliseconds",
    beyond: "the program counts as absent",
  },
  connectTime: {
    of: "connection attempt by `doctor`",
    most: 3_000,
    unit: "milliseconds",
    beyond: "it reports that nothing answers there",
  },
  serversWait: {
    of: "wait of `doctor` for tool servers to start",
    most: 5_000,
    unit: "milliseconds",
    beyond: "it reports that they have not started yet, and ends them",
  },
} satisfies Area;
