/** Bounds of subagents: how many, how long, and what they leave to the session that asked. */

import { type Area, minutes } from "./bound.ts";

export const subagents = {
  rounds: {
    of: "answers of a subagent",
    most: 6,
    unit: "count",
    beyond: "it ends, and what it found so far is its result",
  },
  together: {
    of: "subagents of a session that work at the same time",
    most: 6,
    unit: "count",
    beyond: "further ones wait for a place",
  },
  time: {
    of: "the work of a subagent",
    most: 10 * minutes,
    unit: "milliseconds",
    beyond: "it is ended, and what it found so far is its result",
  },
  keptLeast: {
    of: "what subagents leave their parent of its request's limit of time: a quarter, but not less than this, nor more than half",
    most: 20_000,
    unit: "milliseconds",
    beyond:
      "where only that is left they are ended, and none begins; their parent answers with what there is",
  },
  keptMost: {
    of: "that quarter of a long limit",
    most: 2 * minutes,
    unit: "milliseconds",
    beyond: "subagents may work until only that is left",
  },
  ending: {
    of: "how long the end of a subagent is waited for, once it is told to stop",
    most: 3_000,
    unit: "milliseconds",
    beyond: "the session that gave it its task goes on without it",
  },
  report: {
    of: "a subagent's report that the model is told",
    most: 30_000,
    unit: "characters",
    beyond: "the middle is left out; all of it can be read again",
  },
  listed: {
    of: "agents' names and descriptions that the model is told with the tool",
    most: 2_000,
    unit: "characters",
    beyond: "further ones are not told, but can be named",
  },
} as const satisfies Area;
