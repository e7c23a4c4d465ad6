/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area } from "../base/bound.ts";

/** Sessions of a host */
export const hostBounds = {
  absentPerson: {
    of: "time for which a person who left still counts as present (a page may be reloading)",
    most: 15_000,
    unit: "milliseconds",
    beyond: "with `--when-away deny`, requests for approval are denied",
  },
} satisfies Area;
