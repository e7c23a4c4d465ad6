/** The errors of OpenAI's two formats and of everything compatible with them, read and written. */

import { isObject, parseJson, parseObject, type JsonObject } from "../../base/json.ts";
import type { ModelError, ModelErrorKind } from "../../protocol/model-events.ts";
import { explain, pageText, replyFailure, retryHeaders } from "../explain.ts";
import { arrayAt, errorKindOf, numberAt, objectAt, oneLine, stringAt } from "../fields.ts";
import type { WireReply } from "../wire.ts";

/** A provider's error report; any field may be missing. */
type Complaint = {
  message: string;
  code: string;
  status?: number | undefined;
  /** What the model had written, where the provider could not read it. */
  written?: string | undefined;
};

/** Reads a reply whose status is not 2xx, whatever its body is: JSON of any known shape, a web page, nothing. */
export function decodeError(
  status: number,
  headers: Record<string, string | undefined>,
  body: string,
): ModelError {
  const complaint = complaintOf(body);
  const failed = replyFailure(status);
  const said = saidBy(complaint, failed.status);
  const { written } = complaint;
  return explain(kindOf(complaint, failed.status), { said, written, headers, ...failed });
}

/** The error in a reply that began with HTTP 200: a chunk, an event or a whole body. */
export function errorInside(value: unknown, midStream = false): ModelError {
  const complaint = complaintIn(value);
  const said = complaint.status ?? numberAt(value, "status");
  const status = said !== undefined && said >= 400 && said < 600 ? said : undefined;
  const kind = kindOf(complaint, status);
  const told = status === undefined ? {} : { status };
  const { written } = complaint;
  return explain(kind, {
    said: saidBy(complaint, status),
    written,
    midStream,
    fault: "stream_error",
    ...told,
  });
}

/** Whether a frame is `[DONE]`, or its beginning if the connection was cut. */
export const endsStream = (data: string): boolean =>
  data !== "" && ("[DONE]".startsWith(data) || data.startsWith("[DONE]"));

/** Writes an error body as OpenAI does; `decodeError` recovers the kind from its code. */
export function errorBody(error: ModelError): JsonObject {
  const { type, code } = written[error.kind];
  return { error: { message: error.inFull, type, param: null, code } };
}

export function encodeError(error: ModelError): WireReply {
  const headers = retryHeaders(error);
  if (error.retryAfter !== undefined) headers["retry-after-ms"] = String(Math.round(error.retryAfter));
  return { status: written[error.kind].status, headers, body: errorBody(error) };
}

const written: Record<ModelErrorKind, { status: number; type: string; code: string }> = {
  auth: { status: 401, type: "authentication_error", code: "invalid_api_key" },
  "rate-limit": { status: 429, type: "rate_limit_error", code: "rate_limit_exceeded" },
  overloaded: { status: 503, type: "server_error", code: "server_is_overloaded" },
  "context-overflow": { status: 400, type: "invalid_request_error", code: "context_length_exceeded" },
  "bad-request": { status: 400, type: "invalid_request_error", code: "invalid_request" },
  "unknown-model": { status: 404, type: "invalid_request_error", code: "model_not_found" },
  "unknown-path": { status: 404, type: "invalid_request_error", code: "unknown_url" },
  network: { status: 502, type: "server_error", code: "upstream_connection_failed" },
  timeout: { status: 504, type: "server_error", code: "upstream_timeout" },
  server: { status: 500, type: "server_error", code: "server_error" },
  malformed: { status: 502, type: "server_error", code: "upstream_reply_malformed" },
};

/**
 * The meaning of codes and types, most specific first. An exhausted balance is `auth`, not `rate-limit`: it does not
 * pass by waiting, so it must not be retried; a person has to see to the account.
 */
const signs: readonly (readonly [RegExp, ModelErrorKind])[] = [
  [
    /context_length_exceeded|exceed_context_size|context_window|string_above_max_length|max_prompt_tokens/,
    "context-overflow",
  ],
  [/insufficient_quota|billing|insufficient_balance|insufficient_credits/, "auth"],
  [/invalid_api_key|authentication|permission|unauthorized/, "auth"],
  [/model_not_found|model_not_exist|unknown_model/, "unknown-model"],
  [/overloaded|slow_down|engine_busy/, "overloaded"],
  [/rate_limit|too_many_requests/, "rate-limit"],
  [/upstream_connection_failed/, "network"],
  [/timeout/, "timeout"],
  [/upstream_reply_malformed/, "malformed"],
  [/server_error|internal_error|api_error/, "server"],
  [/invalid_request|invalid_prompt|invalid_value|unsupported|badrequest/, "bad-request"],
];

/** For servers that give no code (llama-server, vLLM, gateways): only the message reveals an overflow. */
const overflowWords = new RegExp(
  [
    "context (length|window|size)|(prompt|input) is too long|too many (input )?tokens",
    "maximum (prompt|model|input) length|prompt exceeds|exceeded model token limit|token count.{0,80}exceeds",
    "`?inputs`? (tokens \\+|must have less than)|range of input length",
  ].join("|"),
  "i",
);
const unknownModelWords =
  /\bmodel\b.{0,120}\b(does not exist|not exist|not found|is not available|is not supported)\b|no such model|unknown model/i;

function kindOf({ message, code }: Complaint, status: number | undefined): ModelErrorKind {
  const words = code.toLowerCase();
  const sign = signs.find(([pattern]) => pattern.test(words))?.[1];
  const telling = sign !== undefined && sign !== "bad-request" && sign !== "server" ? sign : undefined;
  // Even if reported as a rate limit: a request larger than a minute's quota never succeeds.
  if (status === 413) return "context-overflow";
  if (status === 402) return "auth";
  if (status === 401 || status === 403) return "auth";
  if (telling === "auth" || telling === "context-overflow") return telling;
  if (status !== 429 && overflowWords.test(message)) return "context-overflow";
  if (telling) return telling;
  if ((status === undefined || status === 400 || status === 404) && unknownModelWords.test(message))
    return "unknown-model";
  if (status !== undefined) return errorKindOf(status, message);
  return sign ?? "server";
}

/** The general message for "auth" is about the key; here the problem is the account. */
function saidBy({ message, code }: Complaint, status: number | undefined): string {
  const broke = status === 402 || /insufficient|billing/.test(code);
  return broke ? `${oneLine(message, 200)} (the account has no credit left: add some)` : message;
}

function complaintOf(body: string): Complaint {
  const parsed = parseJson(body);
  return parsed.ok ? complaintIn(parsed.value) : { message: pageText(body), code: "" };
}

/** Finds the report in the shapes seen: `{error: {…}}`, `{error: "…"}`, `{detail}`, `{message}`, a list of one. */
function complaintIn(value: unknown, depth = 0): Complaint {
  if (typeof value === "string") return { message: value, code: "" };
  if (depth > 5) return { message: "", code: "" };
  if (Array.isArray(value)) return complaintIn(value[0], depth + 1);
  if (!isObject(value)) return { message: "", code: "" };
  const inner = objectAt(value, "error") ?? arrayAt(value, "errors")?.[0];
  if (inner !== undefined) return complaintIn(inner, depth + 1);
  const message =
    stringAt(value, "message") ??
    stringAt(value, "error") ??
    stringAt(value, "msg") ??
    detailOf(value, depth);
  const code = [stringAt(value, "code"), stringAt(value, "type")]
    .filter((text) => text !== undefined)
    .join(" ");
  return { message, code, status: numberAt(value, "code"), written: writtenIn(value) };
}

/** Groq, and gateways in front of servers that parse: the model's text stands beside the complaint, or below it. */
function writtenIn(complaint: Record<string, unknown>, depth = 0): string | undefined {
  if (depth > 3) return undefined;
  for (const [name, value] of Object.entries(complaint)) {
    if (typeof value === "string" && value.trim() !== "" && modelText.test(name)) return value;
    const inner = name === "raw" && typeof value === "string" ? parseObject(value) : undefined;
    const below = inner?.ok ? inner.value : value;
    const found = isObject(below) ? writtenIn(below, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const modelText =
  /^(?:failed|raw|model|partial)_?(?:generation|output|completion|answer)$|^generated_?(?:text|output)$/i;

function detailOf(value: unknown, depth: number): string {
  const list = arrayAt(value, "detail") ?? [stringAt(value, "detail") ?? objectAt(value, "detail")];
  return list
    .slice(0, 10)
    .map((entry) => complaintIn(entry, depth + 1).message)
    .join("; ");
}
