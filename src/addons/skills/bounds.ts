/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib } from "../../base/bound.ts";

/** Skills, commands and agents */
export const skillBounds = {
  listed: {
    of: "skills offered; the same for commands, and for agents",
    most: 200,
    unit: "count",
    beyond: "further ones are not offered, and people are told",
  },
  looked: {
    of: "entries examined in a folder of skills, commands or agents",
    most: 10_000,
    unit: "count",
    beyond: "the rest of the folder is not examined",
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
  named: {
    of: "files of a skill named to the model",
    most: 100,
    unit: "count",
    beyond: "only their number is given",
  },
  agreed: {
    of: "files read for the approval of a workspace's skills that contain code, all together",
    most: 64 * mib,
    unit: "bytes",
    beyond: "the skill is not offered, and people are told",
  },
} satisfies Area;
