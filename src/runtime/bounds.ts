/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib } from "../base/bound.ts";

/** Query for a program's version, in milliseconds. */
export const versionTimeMs = 5_000;

/** Settings and sessions */
export const runtimeBounds = {
  log: {
    of: "the log file",
    most: 32 * mib,
    unit: "bytes",
    beyond: "it is renamed, replacing the previous one, and a new file is begun",
  },
  answerSchema: {
    of: "the schema of an answer (--json-schema)",
    most: 256 * kib,
    unit: "bytes",
    beyond: "it is refused, and nothing is asked",
  },
  grants: {
    of: "permissions stored for a project",
    most: 4 * mib,
    unit: "bytes",
    beyond: "none of them apply, and a warning says so",
  },
} satisfies Area;
