/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, mib } from "../../base/bound.ts";

/** Checks of a project */
export const checkBounds = {
  file: {
    of: "a file searched for a project's checks",
    most: mib,
    unit: "bytes",
    beyond: "it is not examined",
  },
  entries: {
    of: "entries of a directory searched for a project's checks",
    most: 2000,
    unit: "count",
    beyond: "further ones are not examined",
  },
  listed: {
    of: "checks of a directory offered to the model",
    most: 60,
    unit: "count",
    beyond: "further ones are left out",
  },
} satisfies Area;
