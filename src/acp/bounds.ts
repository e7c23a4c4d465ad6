/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib } from "../base/bound.ts";

/** The agent for editors */
export const acpBounds = {
  message: {
    of: "a message of an editor to the agent",
    most: 64 * mib,
    unit: "bytes",
    beyond: "the connection ends with an error; the sessions stay",
  },
  output: {
    of: "output of one call that an editor is shown",
    most: 64 * kib,
    unit: "characters",
    beyond: "it is shown the last of it; everything is kept",
  },
  diffed: {
    of: "a changed file that an editor is shown whole",
    most: 256 * kib,
    unit: "bytes",
    beyond: "the editor is shown the result alone",
  },
  sessions: {
    of: "sessions that one editor has open",
    most: 100,
    unit: "count",
    beyond: "the next one is refused until another is closed",
  },
} satisfies Area;
