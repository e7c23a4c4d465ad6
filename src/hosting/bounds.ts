/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, count, milliseconds } from "../base/bound.ts";

/** Sessions of a host */
export const hostBounds = {
  tokenDays: count(730, "validity of a personal token in days", "it is refused: make another one in time"),
  absentPerson: milliseconds(
    15_000,
    "time for which a person who left still counts as present (a page may be reloading)",
    "with `--when-away deny`, requests for approval are denied",
  ),
  unbegunAsk: milliseconds(
    30_000,
    "wait of a request until a worker takes it",
    "it is taken back, and whoever asked is told to start a worker",
  ),
} satisfies Area;
