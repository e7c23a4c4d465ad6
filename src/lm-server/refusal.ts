/** Refusals by this server itself, in the client's format. */

import { ModelError, type ModelErrorKind } from "../protocol/model-events.ts";
import type { Wire } from "../wires/wire.ts";

/** `status` is the reply's status, whatever the format would use for the kind. */
export class RequestRefusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly allow: string | undefined;

  /** `retryAfter`: milliseconds; `allow`: the method to use instead. */
  constructor(status: number, message: string, more: { retryAfter?: number; allow?: string } = {}) {
    super(message);
    this.status = status;
    this.retryAfter = more.retryAfter;
    this.allow = more.allow;
  }
}

/** Turns any thrown value into a reply. An unexpected error's message is left out, since it may hold a secret. */
export function refusalResponse(wire: Wire, thrown: unknown): Response {
  const error = asModelError(thrown);
  const { status, headers, body } = wire.encodeError(error);
  return new Response(JSON.stringify(body), {
    status: thrown instanceof RequestRefusal ? thrown.status : status,
    headers: { ...headers, "content-type": "application/json", ...waiting(error), ...besides(thrown) },
  });
}

export function asModelError(thrown: unknown): ModelError {
  if (thrown instanceof ModelError) return thrown;
  if (thrown instanceof RequestRefusal) {
    const { message, retryAfter, status } = thrown;
    return new ModelError(kindOf(status), message, { retryAfter });
  }
  return new ModelError("server", "The language-model server failed; its log says why.", {
    advice: "Try again in a moment.",
  });
}

function kindOf(status: number): ModelErrorKind {
  if (status === 401 || status === 403) return "auth";
  if (status === 404) return "unknown-path";
  if (status === 429) return "rate-limit";
  return status >= 500 ? "overloaded" : "bad-request";
}

/** The vendors' clients take no wait above a minute for one, and ask again at once unless they are told not to. */
const waiting = ({ retryAfter = 0 }: ModelError): Record<string, string> =>
  retryAfter > longestWait ? { "x-should-retry": "false" } : {};
const longestWait = 60_000;

/** Headers that HTTP requires for a status. */
function besides(thrown: unknown): Record<string, string> {
  if (!(thrown instanceof RequestRefusal)) return {};
  if (thrown.status === 401) return { "www-authenticate": "Bearer" };
  return thrown.allow === undefined ? {} : { allow: thrown.allow };
}
