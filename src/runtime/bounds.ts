/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, mib } from "../base/bound.ts";

/** Query for a program's version, in milliseconds. */
export const versionTimeMs = 5_000;

/** Settings and sessions */
export const runtimeBounds = {
  log: bytes(32 * mib, "the log file", "it is renamed, replacing the previous one, and a new file is begun"),
} satisfies Area;
