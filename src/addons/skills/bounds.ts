/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib } from "../../base/bound.ts";

/** Entries examined in a folder of skills, commands or agents. */
export const mostFolderEntries = 10_000;

/** Skills, commands and agents */
export const skillBounds = {
  listed: {
    of: "skills offered; the same for commands, and for agents",
    most: 200,
    unit: "count",
    beyond: "further ones are not offered, and people are told",
  },
  told: {
    of: "names and descriptions of all skills, as given to the model",
    most: 12_000,
    unit: "characters",
    beyond: "every description is cut to the same length",
  },
  described: {
    of: "the description of one skill, command or agent",
    most: 1_024,
    unit: "characters",
    beyond: "the rest is left out",
  },
  file: {
    of: "a file of a skill, a command or an agent definition",
    most: 64 * kib,
    unit: "bytes",
    beyond: "the rest is left out, with a note",
  },
} satisfies Area;
