/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, kib, milliseconds } from "../base/bound.ts";

/** Servers that are added */
export const addedServerBounds = {
  start: milliseconds(
    30_000,
    "start of a tool server or language server",
    "it is ended and tried again later; its tools or checks are missing until then",
  ),
} satisfies Area;

/** Texts that users add */
export const addedTextBounds = {
  file: bytes(
    64 * kib,
    "an instruction file, or a file of a skill, a command or an agent definition",
    "the rest is left out, with a note",
  ),
} satisfies Area;
