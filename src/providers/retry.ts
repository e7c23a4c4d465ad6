/** Decides whether a refused or broken request is worth a retry. */

import { setTimeout as wait } from "node:timers/promises";
import { bounds } from "../base/bounds.ts";
import { HttpProblem } from "../base/http.ts";
import { isPassing, type ModelError } from "../protocol/model-events.ts";

export type RetryOptions = {
  /** Retries after the first attempt; 3 by default. */
  retries?: number;
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Between 0 and 1. */
  random?: () => number;
};

/** The longest wait that a provider may demand; beyond it the request fails with an explanation. */
export const longestWait = bounds.model.retryWait.most;

/** Whether a retry, at once or soon, can help. A server that cannot be reached will not be reachable then either. */
export function isWorthRetrying(error: ModelError): boolean {
  if (error.cause instanceof HttpProblem) return ["reset", "timeout-connect"].includes(error.cause.code);
  if (error.fault === "malformed_by_provider") return false;
  return isPassing(error.kind) && (error.retryAfter ?? 0) <= longestWait;
}

export const sleep = (ms: number, signal: AbortSignal): Promise<unknown> => wait(ms, undefined, { signal });
