/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, mib } from "../../base/bound.ts";

/** Checks of a project */
export const checkBounds = {
  file: {
    of: "a file searched for a project's checks",
    most: mib,
    unit: "bytes",
    beyond: "it is not examined",
  },
} satisfies Area;
