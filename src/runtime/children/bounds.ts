/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, minutes } from "../../base/bound.ts";

/** Subagents */
export const subagentBounds = {
  rounds: {
    of: "answers of a subagent",
    most: 6,
    unit: "count",
    beyond: "it ends, and its result is what it found so far",
  },
  together: {
    of: "subagents of a session working at the same time",
    most: 6,
    unit: "count",
    beyond: "further ones wait for a free slot",
  },
  time: {
    of: "run time of a subagent",
    most: 10 * minutes,
    unit: "milliseconds",
    beyond: "it is ended, and its result is what it found so far",
  },
  keptLeast: {
    of: "part of a request's time limit reserved for the parent: a quarter, but at least this, and at most half",
    most: 20_000,
    unit: "milliseconds",
    beyond:
      "when only this is left, subagents are ended and none starts; the parent answers with what it has",
  },
  report: {
    of: "a subagent's report given to the model",
    most: 30_000,
    unit: "characters",
    beyond: "the middle is left out; the model can read all of it",
  },
} satisfies Area;
