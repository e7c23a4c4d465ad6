/** Errors of the Gemini API, read and written: google.rpc.Status in JSON, as a reply or in mid-stream. */

import { isObject, type JsonObject } from "../../base/json.ts";
import type { ModelError, ModelErrorKind } from "../../protocol/model-events.ts";
import { errorReader, explain, type ProviderFailure, retryHeaders } from "../explain.ts";
import { arrayAt, errorKindOf, numberAt, objectAt, stringAt } from "../fields.ts";
import type { WireReply } from "../wire.ts";

/** Reads a reply that is not 2xx. The body may be JSON, a list with one error, an HTML page or empty. */
export const decodeError = errorReader({
  find: (body) => objectAt(Array.isArray(body) ? body[0] : body, "error"),
  errorOf,
});

/** Reads the failure in a reply that began with HTTP 200: a chunk, an event or a whole body. */
export function errorInside(value: unknown, midStream: boolean): ModelError {
  const words = typeof value === "string" ? value : stringAt(value, "error");
  const error =
    objectAt(value, "error") ?? (words === undefined && isObject(value) ? value : { message: words });
  return errorOf(error, { midStream, fault: "stream_error" });
}

type FailureContext = Omit<ProviderFailure, "said">;

/** Converts the `error` object of a reply or of a stream's chunk. */
function errorOf(error: Record<string, unknown>, around: FailureContext): ModelError {
  const status = around.status ?? numberAt(error, "code") ?? 500;
  const said = stringAt(error, "message") ?? stringAt(error, "status") ?? "";
  const delay = retryDelayOf(error);
  const headers = delay === undefined ? { ...around.headers } : { "retry-after-ms": String(delay) };
  return explain(kindOf(error, status), { ...around, said, status, headers });
}

const kinds: Record<string, ModelErrorKind> = {
  UNAUTHENTICATED: "auth",
  PERMISSION_DENIED: "auth",
  NOT_FOUND: "unknown-model",
  RESOURCE_EXHAUSTED: "rate-limit",
  UNAVAILABLE: "overloaded",
  DEADLINE_EXCEEDED: "timeout",
  INTERNAL: "server",
  UNKNOWN: "server",
  INVALID_ARGUMENT: "bad-request",
  FAILED_PRECONDITION: "bad-request",
  OUT_OF_RANGE: "bad-request",
};

/** Wrong keys and overlong prompts both come as INVALID_ARGUMENT; reason and text tell them apart. */
function kindOf(error: Record<string, unknown>, status: number): ModelErrorKind {
  const message = stringAt(error, "message") ?? "";
  const reasons = details(error).map((detail) => stringAt(detail, "reason"));
  if (reasons.includes("API_KEY_INVALID") || /api key (not valid|expired)/i.test(message)) return "auth";
  if (/token count.*(exceeds|supports up to)|exceeds the maximum number of tokens/is.test(message))
    return "context-overflow";
  const named = stringAt(error, "status") ?? "";
  return (Object.hasOwn(kinds, named) ? kinds[named] : undefined) ?? errorKindOf(status, message);
}

const details = (error: Record<string, unknown>): Record<string, unknown>[] =>
  (arrayAt(error, "details") ?? []).filter(isObject);

/** google.rpc.RetryInfo: a duration such as "34.5s", in milliseconds. */
function retryDelayOf(error: Record<string, unknown>): number | undefined {
  for (const detail of details(error)) {
    const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(stringAt(detail, "retryDelay") ?? "");
    if (seconds) return Math.ceil(Number(seconds[1]) * 1000);
  }
  return undefined;
}

const statuses: Record<ModelErrorKind, { code: number; status: string }> = {
  auth: { code: 401, status: "UNAUTHENTICATED" },
  "rate-limit": { code: 429, status: "RESOURCE_EXHAUSTED" },
  overloaded: { code: 503, status: "UNAVAILABLE" },
  "context-overflow": { code: 400, status: "INVALID_ARGUMENT" },
  "bad-request": { code: 400, status: "INVALID_ARGUMENT" },
  "unknown-model": { code: 404, status: "NOT_FOUND" },
  "unknown-path": { code: 404, status: "NOT_FOUND" },
  network: { code: 503, status: "UNAVAILABLE" },
  timeout: { code: 504, status: "DEADLINE_EXCEEDED" },
  server: { code: 500, status: "INTERNAL" },
  malformed: { code: 500, status: "INTERNAL" },
};

/** Clients recognise an overflow only by this text. */
const overflow = "The input token count exceeds the maximum number of tokens allowed";

export function encodeError(error: ModelError): WireReply {
  const { code, status } = statuses[error.kind];
  const message = error.kind === "context-overflow" ? `${overflow}. ${error.inFull}` : error.inFull;
  const body: JsonObject = { code, message, status };
  if (error.retryAfter === undefined) return { status: code, headers: {}, body: { error: body } };
  const retryDelay = `${error.retryAfter / 1000}s`;
  body["details"] = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }];
  return { status: code, headers: retryHeaders(error), body: { error: body } };
}
