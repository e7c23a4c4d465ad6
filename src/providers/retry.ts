/** When a refused or broken request is worth another try. */

import { setTimeout as wait } from "node:timers/promises";
import { bounds } from "../base/bounds.ts";
import { HttpProblem } from "../base/http.ts";
import { isPassing, type ModelError } from "../protocol/model-events.ts";

export type RetryOptions = {
  /** Further tries after the first; 3 by default. */
  retries?: number;
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Between 0 and 1. */
  random?: () => number;
};

/** Longest wait that a provider may ask for; asked for more, we give up and say so. */
export const longestWait = bounds.model.retryWait.most;

/** Whether asking the same again at once or soon can help. A server that is not there will not be there then. */
export function isWorthRetrying(error: ModelError): boolean {
  if (error.cause instanceof HttpProblem) return ["reset", "timeout-connect"].includes(error.cause.code);
  if (error.fault === "malformed_by_provider") return false;
  return isPassing(error.kind) && (error.retryAfter ?? 0) <= longestWait;
}

export const sleep = (ms: number, signal: AbortSignal): Promise<unknown> => wait(ms, undefined, { signal });
