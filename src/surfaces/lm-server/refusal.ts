/** What this server itself refuses, in the shape of the client's own format. */
import { ModelError, type ModelErrorKind } from "../../protocol/model-events.ts";
import type { Wire } from "../../wires/wire.ts";

/** `status` is the reply's, whatever the format would say of its kind. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  /** Milliseconds. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Anything that was thrown, as a reply. What nobody foresaw is told without its words, which may hold a secret. */
export function refused(wire: Wire, thrown: unknown): Response {
  const error = asModelError(thrown);
  const { status, headers, body } = wire.encodeError(error);
  return new Response(JSON.stringify(body), {
    status: thrown instanceof Refusal ? thrown.status : status,
    headers: { ...headers, "content-type": "application/json", ...besides(thrown) },
  });
}

export function asModelError(thrown: unknown): ModelError {
  if (thrown instanceof ModelError) return thrown;
  if (thrown instanceof Refusal) {
    const { message, retryAfter, status } = thrown;
    return new ModelError(kindOf(status), message, { retryAfter });
  }
  return new ModelError(
    "server",
    "The language-model server failed; its log says why. Ask again in a moment.",
  );
}

function kindOf(status: number): ModelErrorKind {
  if (status === 401 || status === 403) return "auth";
  if (status === 404) return "unknown-path";
  return status >= 500 ? "overloaded" : "bad-request";
}

const besides = (thrown: unknown): Record<string, string> =>
  thrown instanceof Refusal && thrown.status === 401 ? { "www-authenticate": "Bearer" } : {};
