/** Bounds of the client of a gateway. */

import { type Area, mib } from "./bound.ts";

export const remote = {
  connectTime: {
    of: "connecting to a gateway",
    most: 10_000,
    unit: "milliseconds",
    beyond: "it counts as not there, and is tried again",
  },
  retryWait: {
    of: "waiting between two tries to reach a gateway",
    most: 30_000,
    unit: "milliseconds",
    beyond: "it is tried again at least that often",
  },
  silence: {
    of: "silence of a gateway, with a question for a sign of life in between",
    most: 45_000,
    unit: "milliseconds",
    beyond: "the connection counts as broken, and is made anew",
  },
  unsentTime: {
    of: "for how long a command waits for a connection to its gateway",
    most: 30_000,
    unit: "milliseconds",
    beyond: "it is not sent, which whoever gave it is told",
  },
  commands: {
    of: "commands whose outcome a gateway has not told yet",
    most: 256,
    unit: "count",
    beyond: "another one is refused",
  },
  followText: {
    of: "frames of one followed session that wait for their reader",
    most: 8 * mib,
    unit: "characters",
    beyond: "it is left, and followed from there on when they have been read",
  },
  frameText: {
    of: "one event that a gateway streams",
    most: 256 * mib,
    unit: "characters",
    beyond: "the connection counts as broken",
  },
} satisfies Area;
