/** Whether a refused or broken request is worth making again. */

import { setTimeout as wait } from "node:timers/promises";
import { httpBounds } from "../base/bounds.ts";
import { HttpProblem, type HttpProblemCode } from "../base/http.ts";
import { isPassing, type ModelError } from "../protocol/model-events.ts";

export type RetryOptions = {
  /** Milliseconds from the first failure in which the request is made again; 0: never. Default: ten minutes. */
  forMs?: number | undefined;
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Between 0 and 1. */
  random?: () => number;
};

/** `wasReached`: it has answered before. `local`: on this computer or in the local network. */
export type ServerStanding = { wasReached: boolean; local: boolean };

export const usualRetryMs = httpBounds.retryTime.most;

/**
 * Whether a retry can help. A server that was never reached is probably not there, or its address is wrong; one that
 * was is coming back. A local server that stays silent is busy with this very prompt.
 */
export function isWorthRetrying(error: ModelError, server: ServerStanding): boolean {
  if (error.cause instanceof HttpProblem) return lostConnections(server).includes(error.cause.code);
  return isPassing(error.kind) && error.fault !== "malformed_by_provider";
}

function lostConnections({ wasReached, local }: ServerStanding): HttpProblemCode[] {
  return [
    "reset",
    "timeout-connect",
    ...(wasReached ? (["refused", "dns", "unreachable"] as const) : []),
    ...(local ? [] : (["timeout-first"] as const)),
  ];
}

export const sleep = (ms: number, signal: AbortSignal): Promise<unknown> => wait(ms, undefined, { signal });
