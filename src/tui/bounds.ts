/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib } from "../base/bound.ts";

/** Blocks of a conversation that are held once they have been printed. */
export const mostHeldBlocks = 2000;

/** The terminal */
export const tuiBounds = {
  pasted: {
    of: "one pasted text",
    most: 4 * mib,
    unit: "characters",
    beyond: "the rest is dropped, and its placeholder says so",
  },
  ownOutput: {
    of: "output kept of a command that you run yourself (`!`)",
    most: 256 * kib,
    unit: "characters",
    beyond: "its beginning is forgotten",
  },
  statusTime: {
    of: "the time of the command of your status line",
    most: 2_000,
    unit: "milliseconds",
    beyond: "it is stopped, which is told once, and the usual status is shown",
  },
  statusOutput: {
    of: "output of the command of your status line",
    most: 64 * kib,
    unit: "bytes",
    beyond: "it is stopped, which is told once, and the usual status is shown",
  },
} satisfies Area;
