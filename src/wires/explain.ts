/** Turns a provider's failure into an error for people: what happened, and what to do next. */

import { parseJson } from "../base/json.ts";
import { ModelError, type ModelErrorKind, type StreamFault } from "../protocol/model-events.ts";
import { errorKindOf, oneLine, retryAfterOf, sentence } from "./fields.ts";

/**
 * `said` is the provider's own text, `written` the model's, if it was reported; `advice` replaces the default advice of
 * the kind; `headers` have lower-case names.
 */
export type ProviderFailure = {
  said: string;
  written?: string | undefined;
  advice?: string;
  status?: number;
  headers?: Record<string, string | undefined>;
  midStream?: boolean;
  fault?: StreamFault;
};

/** Makes the error for a failure of a known kind. */
export function explain(kind: ModelErrorKind, failure: ProviderFailure): ModelError {
  const status = failure.status === undefined ? "" : ` (${failure.status})`;
  const said = oneLine(failure.said, 300);
  const told = said === "" ? "." : `: ${sentence(said)}`;
  return new ModelError(kind, `${happened[kind]}${status}${told}`, {
    advice: failure.advice ?? next[kind],
    said,
    written: failure.written,
    status: failure.status,
    retryAfter: failure.headers ? retryAfterOf(failure.headers) : undefined,
    midStream: failure.midStream ?? false,
    fault: failure.fault,
  });
}

/** What a reply's status adds to its failure: nothing for a success status, because the error was in the body. */
export const replyFailure = (status: number): Pick<ProviderFailure, "status" | "fault"> =>
  status < 400 ? { fault: "stream_error" } : { status };

/** The headers of a server half's error: when to try again, if the provider said so. */
export const retryHeaders = ({ retryAfter }: ModelError): Record<string, string> =>
  retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(retryAfter / 1000)) };

/** The status of a server half's error, where a format has no rule of its own. */
export const statusOf: Record<ModelErrorKind, number> = {
  auth: 401,
  "rate-limit": 429,
  overloaded: 503,
  "context-overflow": 400,
  "bad-request": 400,
  "unknown-model": 404,
  "unknown-path": 404,
  network: 502,
  timeout: 504,
  server: 500,
  malformed: 500,
};

/** How to find what a body says of an error, a text or an object, and what it means. */
type ErrorForm<Said> = {
  find: (body: unknown) => Said | undefined;
  errorOf: (said: Said, failure: Omit<ProviderFailure, "said">) => ModelError;
};

/** Reads a reply whose status is not 2xx. A body that says nothing of an error is treated as a proxy's error page. */
export const errorReader =
  <Said>({ find, errorOf }: ErrorForm<Said>) =>
  (status: number, headers: Record<string, string | undefined>, body: string): ModelError => {
    const parsed = parseJson(body);
    const said = parsed.ok ? find(parsed.value) : undefined;
    if (said !== undefined) return errorOf(said, { headers, ...replyFailure(status) });
    const kind = status === 404 ? "unknown-path" : errorKindOf(status);
    return explain(kind, { said: pageText(body), status, headers });
  };

/** The text of an error page that is not JSON: its title, or its content without the markup. */
export function pageText(body: string): string {
  const start = body.slice(0, 4000);
  if (!/^\s*</.test(start)) return oneLine(start, 200);
  const title = /<title[^>]*>([^<]{1,200})/i.exec(start)?.[1];
  return oneLine(title ?? start.replaceAll(/<[^>]{0,500}>/g, " "), 200);
}

const happened: Record<ModelErrorKind, string> = {
  auth: "The provider refused the key",
  "rate-limit": "The provider's rate limit is reached",
  overloaded: "The provider is overloaded",
  "context-overflow": "The conversation is too long for the model",
  "bad-request": "The provider refused the request",
  "unknown-model": "The provider does not have this model",
  "unknown-path": "The provider offers nothing at this address",
  network: "The connection failed",
  timeout: "The provider took too long",
  server: "The provider failed",
  malformed: "The provider's answer could not be read",
};

const next: Record<ModelErrorKind, string | undefined> = {
  auth: "Check the key.",
  "rate-limit": "Wait a little and try again.",
  overloaded: "Try again in a moment.",
  "context-overflow": "Shorten the conversation or choose a model with a larger context.",
  "bad-request": undefined,
  "unknown-model": "Check the model's name.",
  "unknown-path": "Check the base URL.",
  network: "Check the network and the base URL.",
  timeout: "Try again.",
  server: "Try again in a moment.",
  malformed: "Check the base URL.",
};
