/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, characters, count, milliseconds, minutes } from "../../base/bound.ts";

/** Hooks */
export const hookBounds = {
  context: characters(
    10_000,
    "text that one hook adds for the model at a time",
    "the rest is left out, with a note",
  ),
  time: milliseconds(
    2 * minutes,
    "run time of a hook; the default is 10 s",
    "it is ended, and its `onFailure` setting decides",
  ),
  listed: count(100, "hooks of a workspace, and of a user", "further ones do not run, and people are told"),
} satisfies Area;
