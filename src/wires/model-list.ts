/** What a model server is asked besides answers, in a wire's format: which models there are, how long a prompt is. */

import type { JsonObject } from "../base/json.ts";
import type { Ask } from "../protocol/messages.ts";

/** A model as a server offers it. Tools always work: a model without native ones is taught. */
export type ServedModel = {
  /** Under which clients ask for it. */
  name: string;
  /** Milliseconds since 1970. */
  created: number;
  /** The whole context window in tokens, where it is known. */
  contextTokens?: number | undefined;
};

/** A request; `body` is parsed, and undefined where there was none. Header names are in lower case. */
export type Question = {
  /** Decoded nowhere, without its query. */
  path: string;
  query: URLSearchParams;
  header: (name: string) => string | undefined;
  body: unknown;
};

/** What is known of the models. */
export type Teller = {
  models(): readonly ServedModel[];
  /** Asks the model's own server where it must. Throws ModelError where there is no such model. */
  describe(name: string): Promise<ServedModel>;
  /** Tokens of a prompt, about. */
  count(ask: Ask): Promise<number>;
};

export type ToldRoute = {
  method: "GET" | "POST";
  /** As Hono's router writes it: "/v1/models/:name{.+}". */
  path: string;
  /** Whether a client of this format asks, where several formats share a path; without it, whoever asks. */
  isAsked?: (question: Question) => boolean;
  /** Throws ModelError. */
  tell: (question: Question, teller: Teller) => JsonObject | Promise<JsonObject>;
};

/** What stands in a path behind `before`, without percent signs; undefined where that cannot be decoded. */
export function restOfPath(path: string, before: string): string | undefined {
  if (!path.startsWith(before)) return undefined;
  try {
    return decodeURIComponent(path.slice(before.length)) || undefined;
  } catch {
    return undefined;
  }
}
