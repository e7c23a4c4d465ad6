/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, count, mib, milliseconds } from "../base/bound.ts";

/** Connection attempt to a gateway, in milliseconds. */
export const gatewayConnectMs = 10_000;
/** Silence of a gateway that was pinged meanwhile, in milliseconds. */
export const gatewaySilenceMs = 45_000;

/** A client of a gateway */
export const remoteBounds = {
  frameBytes: bytes(
    mib,
    "one frame from a client",
    "the connection is closed (1009); longer messages go in a request",
  ),
  unsentTime: milliseconds(
    30_000,
    "time for which a command waits for a connection to its gateway",
    "it is not sent, and its caller is told",
  ),
  commands: count(
    256,
    "commands of one connection that a gateway has not answered",
    "another one is refused",
  ),
} satisfies Area;
