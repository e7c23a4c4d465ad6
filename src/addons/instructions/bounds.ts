/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib } from "../../base/bound.ts";

/** Instruction files */
export const instructionBounds = {
  all: {
    of: "all instruction files of a session together",
    most: 256 * kib,
    unit: "bytes",
    beyond: "further files are not read, and people are told",
  },
  imports: {
    of: "depth of imports between instruction files",
    most: 5,
    unit: "count",
    beyond: "further imports stay as they are written",
  },
} satisfies Area;
