/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area } from "../base/bound.ts";

/** Sessions of a host */
export const hostBounds = {
  tokenDays: {
    of: "validity of a personal token in days",
    most: 730,
    unit: "count",
    beyond: "it is refused: make another one in time",
  },
  absentPerson: {
    of: "time for which a person who left still counts as present (a page may be reloading)",
    most: 15_000,
    unit: "milliseconds",
    beyond: "with `--when-away deny`, requests for approval are denied",
  },
  unbegunAsk: {
    of: "wait of a request until a worker takes it",
    most: 30_000,
    unit: "milliseconds",
    beyond: "it is taken back, and whoever asked is told to start a worker",
  },
} satisfies Area;
