/** Ollama's errors: `{error: "text"}`, as a reply or as a line of a stream. */

import { isObject, type JsonObject } from "../../base/json.ts";
import { ModelError, type ModelErrorKind } from "../../protocol/model-events.ts";
import { explain, errorReader, type ProviderFailure, retryHeaders, statusOf } from "../explain.ts";
import { errorKindOf, objectAt, oneLine, stringAt } from "../fields.ts";
import type { WireReply } from "../wire.ts";

/**
 * The error's text; the routes that speak OpenAI's format put it into an object. Of an error that holds quotation marks
 * some versions make a key.
 */
export const errorText = (body: unknown): string | undefined =>
  stringAt(body, "error") ?? stringAt(objectAt(body, "error"), "message") ?? errorKey(body);

function errorKey(body: unknown): string | undefined {
  const [key = "", value] = (isObject(body) && Object.entries(body)[0]) || [];
  return key.startsWith("error ") ? `${key}: ${String(value)}` : undefined;
}

/** Classifies an error by its text: the status alone says little, and a stream has none. */
export function errorOf(said: string, failure: Omit<ProviderFailure, "said">): ModelError {
  const missing = missingModel(said);
  if (missing === undefined) return explain(kindOf(said, failure.status), { ...failure, said });
  return new ModelError("unknown-model", `The server does not have the model "${missing}".`, {
    advice: `Run: ollama pull ${missing}`,
    said,
    status: failure.status,
    midStream: failure.midStream ?? false,
    fault: failure.fault,
  });
}

const missingModel = (said: string): string | undefined =>
  /^model ["'`]?([^"'`\s]{1,200}?)["'`]? not found/.exec(oneLine(said, 300))?.[1];

const tells: [RegExp, ModelErrorKind][] = [
  [/does not support (thinking|tools|chat|vision|images)/i, "bad-request"],
  [/exceeds? .*context|context (length|window|size|limit)|input length exceeds/i, "context-overflow"],
  [/requires more system memory/i, "bad-request"],
  [/server busy|maximum pending requests/i, "overloaded"],
  [/unauthorized/i, "auth"],
];

const kindOf = (said: string, status: number | undefined): ModelErrorKind =>
  tells.find(([pattern]) => pattern.test(said))?.[1] ?? errorKindOf(status ?? 500, said);

/** Reads a reply whose status is not 2xx. */
export const decodeError = errorReader({ find: errorText, errorOf });

/** The server half: the same error for a client. */
export const encodeError = (error: ModelError): WireReply => ({
  status: statusOf[error.kind],
  headers: { "content-type": "application/json", ...retryHeaders(error) },
  body: errorBody(error),
});

export const errorBody = (error: ModelError): JsonObject => ({ error: error.inFull });
