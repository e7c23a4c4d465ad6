/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, count, kib } from "../../base/bound.ts";

/** Instruction files */
export const instructionBounds = {
  all: bytes(
    256 * kib,
    "all instruction files of a session together",
    "further files are not read, and people are told",
  ),
  imports: count(5, "depth of imports between instruction files", "further imports stay as they are written"),
} satisfies Area;
