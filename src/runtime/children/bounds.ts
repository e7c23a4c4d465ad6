/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, count, milliseconds, minutes } from "../../base/bound.ts";

/** Subagents */
export const subagentBounds = {
  rounds: count(6, "answers of a subagent", "it ends, and its result is what it found so far"),
  together: count(6, "subagents of a session working at the same time", "further ones wait for a free slot"),
  time: milliseconds(
    10 * minutes,
    "run time of a subagent",
    "it is ended, and its result is what it found so far",
  ),
  keptLeast: milliseconds(
    20_000,
    "part of a request's time limit reserved for the parent: a quarter, but at least this, and at most half",
    "when only this is left, subagents are ended and none starts; the parent answers with what it has",
  ),
} satisfies Area;
