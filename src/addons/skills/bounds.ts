/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, characters, count } from "../../base/bound.ts";

/** Entries examined in a folder of skills, commands or agents. */
export const mostFolderEntries = 10_000;

/** Skills, commands and agents */
export const skillBounds = {
  listed: count(
    200,
    "skills offered; the same for commands, and for agents",
    "further ones are not offered, and people are told",
  ),
  told: characters(
    12_000,
    "names and descriptions of all skills, as given to the model",
    "every description is cut to the same length",
  ),
  described: characters(1_024, "the description of one skill, command or agent", "the rest is left out"),
} satisfies Area;
