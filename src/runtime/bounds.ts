/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, kib, mib } from "../base/bound.ts";

/** Query for a program's version, in milliseconds. */
export const versionTimeMs = 5_000;

/** Settings and sessions */
export const runtimeBounds = {
  log: bytes(32 * mib, "the log file", "it is renamed, replacing the previous one, and a new file is begun"),
  answerSchema: bytes(
    256 * kib,
    "the schema of an answer (--json-schema)",
    "it is refused, and nothing is asked",
  ),
  grants: bytes(4 * mib, "permissions stored for a project", "none of them apply, and a warning says so"),
} satisfies Area;
