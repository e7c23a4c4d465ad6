/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, mib } from "../../base/bound.ts";

/** A client of a gateway */
export const remoteBounds = {
  frameBytes: {
    of: "one frame from a client",
    most: mib,
    unit: "bytes",
    beyond: "the connection is closed (1009); longer messages go in a request",
  },
  connectTime: {
    of: "connection attempt to a gateway",
    most: 10_000,
    unit: "milliseconds",
    beyond: "it counts as failed, and is repeated",
  },
  retryWait: {
    of: "wait between two connection attempts to a gateway",
    most: 30_000,
    unit: "milliseconds",
    beyond: "the next attempt is made",
  },
  silence: {
    of: "silence of a gateway that was pinged meanwhile",
    most: 45_000,
    unit: "milliseconds",
    beyond: "the connection counts as broken, and is re-established",
  },
  unsentTime: {
    of: "time for which a command waits for a connection to its gateway",
    most: 30_000,
    unit: "milliseconds",
    beyond: "it is not sent, and its caller is told",
  },
  commands: {
    of: "commands that a gateway has not answered",
    most: 256,
    unit: "count",
    beyond: "another one is refused",
  },
  followText: {
    of: "frames of one followed session waiting for their reader",
    most: 8 * mib,
    unit: "characters",
    beyond: "the client stops following it, and resumes from there when they have been read",
  },
  frameText: {
    of: "one event streamed by a gateway",
    most: 256 * mib,
    unit: "characters",
    beyond: "the connection counts as broken",
  },
} satisfies Area;
