/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, count, kib } from "../base/bound.ts";

/** The agent for editors */
export const acpBounds = {
  diffed: bytes(
    256 * kib,
    "a changed file that an editor is shown whole",
    "the editor is shown the result alone",
  ),
  sessions: count(
    100,
    "sessions that one editor has open",
    "the next one is refused until another is closed",
  ),
} satisfies Area;
