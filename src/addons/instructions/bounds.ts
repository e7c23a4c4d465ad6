/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, kib } from "../../base/bound.ts";

/** Instruction files */
export const instructionBounds = {
  all: bytes(
    256 * kib,
    "all instruction files of a session together",
    "further files are not read, and people are told",
  ),
} satisfies Area;
