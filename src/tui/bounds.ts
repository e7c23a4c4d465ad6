/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, characters, kib, mib, milliseconds } from "../base/bound.ts";

/** Blocks of a conversation that are held once they have been printed. */
export const mostHeldBlocks = 2000;

/** The terminal */
export const tuiBounds = {
  pasted: characters(4 * mib, "one pasted text", "the rest is dropped, and its placeholder says so"),
  ownOutput: characters(
    256 * kib,
    "output kept of a command that you run yourself (`!`)",
    "its beginning is forgotten",
  ),
  statusTime: milliseconds(
    2_000,
    "the time of the command of your status line",
    "it is stopped, which is told once, and the usual status is shown",
  ),
} satisfies Area;
