/** Cohere's errors: `{message}` as a reply, the last event's `error` in a stream. */

import type { JsonObject } from "../../base/json.ts";
import type { ModelError, ModelErrorKind } from "../../protocol/model-events.ts";
import { explain, errorReader, type ProviderFailure, retryHeaders, statusOf } from "../explain.ts";
import { arrayAt, errorKindOf, objectAt, stringAt } from "../fields.ts";
import type { WireReply } from "../wire.ts";

/** The error's text; servers that also speak other formats put it into an object or a list. */
export const errorText = (body: unknown): string | undefined =>
  (typeof body === "string" ? body : undefined) ??
  stringAt(body, "message") ??
  stringAt(body, "error") ??
  stringAt(objectAt(body, "error"), "message") ??
  stringAt(body, "detail") ??
  stringAt(arrayAt(body, "detail")?.[0], "msg");

/** Classifies an error by its text: there are no codes, and in a stream no status either. */
export const errorOf = (said: string, failure: Omit<ProviderFailure, "said">): ModelError =>
  explain(kindOf(said, failure.status), { ...failure, said });

/** Messages from https://docs.cohere.com/reference/errors, and from servers that run the models themselves. */
const tells: readonly (readonly [RegExp, ModelErrorKind])[] = [
  // About too many requested tokens, not an oversized prompt.
  [/max[ _]tokens must be/i, "bad-request"],
  [/too many tokens|maximum context length|context (length|window)/i, "context-overflow"],
  // A monthly limit does not pass by waiting: a person has to see to the account.
  [/\b(calls?|requests?) ?(\/|per) ?month\b|billing|payment method/i, "auth"],
  [/api (key|token)|unauthori[sz]ed/i, "auth"],
  [/\bmodel\b.{0,200}\b(not found|does not exist)\b/is, "unknown-model"],
  [/rate limit|too many requests|\b(calls?|requests?) ?(\/|per) ?minute\b/i, "rate-limit"],
  [/overloaded|at capacity/i, "overloaded"],
  [/time(d|-)? ?out/i, "timeout"],
];

/** Statuses that need no look at the text. */
const plainStatus = [401, 403, 408, 413, 503, 504];

function kindOf(said: string, status: number | undefined): ModelErrorKind {
  if (status === 402) return "auth";
  // The request was cancelled on its way, not by us.
  if (status === 499) return "server";
  if (status !== undefined && plainStatus.includes(status)) return errorKindOf(status);
  const told = tells.find(([pattern]) => pattern.test(said))?.[1];
  if (told !== undefined) return told;
  return status === 404 ? "unknown-path" : errorKindOf(status ?? 500);
}

/** Reads a reply whose status is not 2xx. */
export const decodeError = errorReader({ find: errorText, errorOf });

/** The server half: the same error for a client. */
export function encodeError(error: ModelError): WireReply {
  const needed = words[error.kind];
  const prefix = needed === undefined || needed.told.test(error.message) ? "" : needed.prefix;
  return {
    status: statusOf[error.kind],
    headers: { "content-type": "application/json", ...retryHeaders(error) },
    body: errorBody(prefix + error.inFull),
  };
}

const errorBody = (message: string): JsonObject => ({ message });

/** For these kinds the status is ambiguous, so the text must identify them. */
const words: Partial<Record<ModelErrorKind, { told: RegExp; prefix: string }>> = {
  "context-overflow": { told: /too many tokens/i, prefix: "too many tokens: " },
  "unknown-model": { told: /\bmodel\b.*not found/is, prefix: "model not found: " },
};
