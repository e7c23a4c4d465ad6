/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, mib } from "../base/bound.ts";

/** Connection attempt to a gateway, in milliseconds. */
export const gatewayConnectMs = 10_000;
/** Silence of a gateway that was pinged meanwhile, in milliseconds. */
export const gatewaySilenceMs = 45_000;

/** A client of a gateway */
export const remoteBounds = {
  frameBytes: {
    of: "one frame from a client",
    most: mib,
    unit: "bytes",
    beyond: "the connection is closed (1009); longer messages go in a request",
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
} satisfies Area;
