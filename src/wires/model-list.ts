/** Requests to a model server besides answers, in a wire's format: which models exist, how long a prompt is. */

import { attempt } from "../base/expected.ts";
import type { JsonObject } from "../base/json.ts";
import type { Ask } from "../protocol/messages.ts";

/** A model as a server offers it. Every model can use tools: those without native tools are taught a dialect. */
export type OfferedModel = {
  /** The name under which clients request the model. */
  name: string;
  /** Milliseconds since 1970. */
  created: number;
  /** The whole context window in tokens, if known. */
  contextTokens?: number | undefined;
  /** False if the model is known not to see pictures. */
  sees?: boolean | undefined;
  /** True if the model is known to think before it answers. */
  thinks?: boolean | undefined;
};

/** A client's request; `body` is parsed, and undefined if there was none. Header names are in lower case. */
export type ClientRequest = {
  /** The path without its query, still percent-encoded. */
  path: string;
  query: URLSearchParams;
  header: (name: string) => string | undefined;
  body: unknown;
};

/** Provides the facts about the models. */
export type ModelInventory = {
  models(): readonly OfferedModel[];
  /** Queries the model's own server if necessary. Throws ModelError if there is no such model. */
  describe(name: string): Promise<OfferedModel>;
  /** The approximate number of tokens in a prompt. */
  count(ask: Ask): Promise<number>;
};

export type ToldRoute = {
  method: "GET" | "POST";
  /** The route as Hono's router writes it: "/v1/models/:name{.+}". */
  path: string;
  /** Whether the request comes from a client of this format, for paths that several formats share; absent: always. */
  isAsked?: (question: ClientRequest) => boolean;
  /** Makes the reply. Throws ModelError. */
  tell: (question: ClientRequest, teller: ModelInventory) => JsonObject | Promise<JsonObject>;
};

/** The rest of a path after `before`, percent-decoded; undefined if it cannot be decoded. */
export function restOfPath(path: string, before: string): string | undefined {
  if (!path.startsWith(before)) return undefined;
  return attempt(() => decodeURIComponent(path.slice(before.length)) || undefined);
}
