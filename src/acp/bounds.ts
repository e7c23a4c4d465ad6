/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, characters, count, kib, mib } from "../base/bound.ts";

/** The agent for editors */
export const acpBounds = {
  message: bytes(
    64 * mib,
    "a message of an editor to the agent",
    "the connection ends with an error; the sessions stay",
  ),
  output: characters(
    64 * kib,
    "output of one call that an editor is shown",
    "it is shown the last of it; everything is kept",
  ),
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
