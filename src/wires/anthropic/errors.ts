/** Anthropic's errors: `{type: "error", error: {type, message}}`, as a reply or as an event of a stream. */

import { isObject, type JsonObject } from "../../base/json.ts";
import { ModelError, type ModelErrorKind } from "../../protocol/model-events.ts";
import { errorReader, explain, retryHeaders, type ProviderFailure } from "../explain.ts";
import { errorKindOf, isMissingPath, objectAt, stringAt } from "../fields.ts";
import type { WireReply } from "../wire.ts";

/** The error types of https://platform.claude.com/docs/en/api/errors, and their statuses. */
const types: Record<string, { kind: ModelErrorKind; status: number }> = {
  invalid_request_error: { kind: "bad-request", status: 400 },
  authentication_error: { kind: "auth", status: 401 },
  billing_error: { kind: "auth", status: 402 },
  permission_error: { kind: "auth", status: 403 },
  not_found_error: { kind: "unknown-model", status: 404 },
  request_too_large: { kind: "context-overflow", status: 413 },
  rate_limit_error: { kind: "rate-limit", status: 429 },
  api_error: { kind: "server", status: 500 },
  timeout_error: { kind: "timeout", status: 504 },
  overloaded_error: { kind: "overloaded", status: 529 },
};

/** Reads a reply whose status is not 2xx. */
export const decodeError = errorReader({ find: (body) => objectAt(body, "error"), errorOf });

/** The error in a reply that began with HTTP 200: an event or a whole body, in this format or a gateway's own. */
export function errorInside(value: unknown, midStream = false): ModelError {
  const error = objectAt(value, "error") ?? stringAt(value, "error") ?? value;
  const said = typeof error === "string" ? { message: error } : error;
  return errorOf(said, { midStream, fault: "stream_error" });
}

/** Converts an error object. */
function errorOf(error: unknown, failure: Omit<ProviderFailure, "said">): ModelError {
  const said = stringAt(error, "message") ?? (isObject(error) ? "" : "an unknown error");
  return explain(kindOf(stringAt(error, "type") ?? "", said, failure.status), { ...failure, said });
}

function kindOf(type: string, said: string, status: number | undefined): ModelErrorKind {
  const kind = types[type]?.kind ?? errorKindOf(status ?? 500);
  if (
    kind === "bad-request" &&
    /(prompt|input) is too long|context (window|length|limit)|too many tokens/i.test(said)
  )
    return "context-overflow";
  if (kind !== "unknown-model" || /model/i.test(said)) return kind;
  return isMissingPath(said) ? "unknown-path" : "bad-request";
}

/**
 * A request that continues an earlier answer (beta "message threads"), which is not stored here. Clients must expect
 * lost threads, recognise them by this code, and send the whole conversation again.
 * https://platform.claude.com/docs/en/build-with-claude/message-threads
 */
export class LostThread extends ModelError {
  readonly details = { error_code: "thread_not_found" };

  constructor() {
    super("unknown-path", "No threads are stored here.", {
      advice: "Send the whole conversation again.",
      status: 404,
    });
  }
}

/** The server half: the same error for a client. */
export function encodeError(error: ModelError): WireReply {
  const headers = { "content-type": "application/json", ...retryHeaders(error) };
  return { status: types[typeOf[error.kind]]?.status ?? 500, headers, body: errorBody(error) };
}

export function errorBody(error: ModelError): JsonObject & { type: string } {
  const prefix = error.kind === "context-overflow" ? "prompt is too long: " : "";
  const details: JsonObject = error instanceof LostThread ? { details: error.details } : {};
  return { type: "error", error: { type: typeOf[error.kind], message: prefix + error.inFull, ...details } };
}

const typeOf: Record<ModelErrorKind, string> = {
  auth: "authentication_error",
  "rate-limit": "rate_limit_error",
  overloaded: "overloaded_error",
  "context-overflow": "invalid_request_error",
  "bad-request": "invalid_request_error",
  "unknown-model": "not_found_error",
  "unknown-path": "not_found_error",
  network: "api_error",
  timeout: "timeout_error",
  server: "api_error",
  malformed: "api_error",
};
