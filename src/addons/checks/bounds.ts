/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, mib } from "../../base/bound.ts";

/** Checks of a project */
export const checkBounds = {
  file: bytes(mib, "a file searched for a project's checks", "it is not examined"),
} satisfies Area;
