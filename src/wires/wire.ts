/** A provider's API format in both directions: the provider half calls a model server, the server half acts as one. */

import type { JsonObject } from "../base/json.ts";
import type { Ask, ToolDescription } from "../protocol/messages.ts";
import type { ModelError, ModelEvent } from "../protocol/model-events.ts";
import type { ToldRoute } from "./model-list.ts";

export const wireNames = [
  "anthropic",
  "openai-chat",
  "openai-responses",
  "ollama",
  "gemini",
  "cohere",
] as const;
/** The name of a built-in wire. */
export type WireName = (typeof wireNames)[number];

/** Rewrites the output of `encodeEvents` into another framing; `type` is its content type. */
export type StreamForm = { type: string; rewrite(texts: AsyncIterable<string>): AsyncIterable<string> };

/** How the client expects calls of tools that it did not offer as plain functions, keyed by the tool's name here. */
export type CallForms = ReadonlyMap<string, CallForm>;
export type CallForm = {
  /** The tool's name as the client wrote it. */
  name: string;
  namespace?: string;
  /**
   * "text": the client's tool takes one plain text, which the model passes as the argument "input". "search": the client
   * looks for tools that it has not offered yet.
   */
  takes: "arguments" | "text" | "search";
};

/** The tools of a client's request, while they are read. */
export type RequestTools = { tools: ToolDescription[]; forms: Map<string, CallForm> };

/** A client's request. `withoutUsage`: its stream must not report token usage. */
export type DecodedRequest = { ask: Ask; streamed: boolean; forms?: CallForms; withoutUsage?: true };

export type WireReply = { status: number; headers: Record<string, string>; body: JsonObject };

/** A provider's API format, as client and as server. */
export interface Wire {
  readonly name: WireName;

  // The provider half.
  /** The path of a request, after the provider's base URL (which holds any version prefix such as "/v1"). */
  path(model: string, how: { streamed: boolean }): string;
  /** Headers besides content-type: the key, API versions. Without a key there is no authorization header. */
  headers(key: string | undefined): Record<string, string>;
  /** Extra headers for requests to this model. */
  askHeaders?(model: string): Record<string, string>;
  /** The body of a request; `streamed` false asks for the whole answer in one document. */
  encodeAsk(ask: Ask, how: { streamed: boolean }): JsonObject;
  /**
   * Reads a streamed reply, however its bytes are cut: a list of events for each piece of network data, since an
   * asynchronous turn for each event would cost more than reading it. Ends with answer-end or throws one ModelError.
   */
  decodeBatches(bytes: AsyncIterable<Uint8Array>): AsyncIterable<ModelEvent[]>;
  /** The events of a reply in one document; throws ModelError as `decodeBatches` does. */
  decodeWhole(body: unknown): ModelEvent[];
  /** Reads a reply whose status is not 2xx; `headers` have lower-case names. */
  decodeError(status: number, headers: Record<string, string | undefined>, body: string): ModelError;

  // The server half.
  /** The content type of a streamed reply. */
  readonly streamType: string;
  /** The routes of this wire, as Hono's router writes paths; `match` decides which requests under them belong to it. */
  readonly asked: readonly string[];
  /** Requests are read as JSON whatever their content type says. */
  readonly takesAnyType?: true;
  /** The request field that holds the conversation. */
  readonly conversation: string;
  /** The reply to a request without messages; a wire without this method refuses such requests. */
  answerToNothing?(model: string): JsonObject;
  /** Further routes that its clients request, such as model lists. */
  readonly told: readonly ToldRoute[];
  /** Another framing of the stream, if this path selects one. */
  streamAt?(path: string): StreamForm | undefined;
  /**
   * Whether a request with this path belongs to this wire; `model` and `streamed` are set where the path states them.
   */
  match(path: string): { model?: string; streamed?: boolean } | undefined;
  /**
   * Reads a request body. Throws ModelError "bad-request" that names the offending field. Tools that the client's own
   * service would run are left out; `forms` must be passed to the encoder of the answer.
   */
  decodeAsk(body: unknown, fromPath?: { model?: string; streamed?: boolean }): DecodedRequest;
  /**
   * The texts of a streamed reply. A ModelError before the first text is rethrown, a later one is written to the
   * stream.
   */
  encodeEvents(events: AsyncIterable<ModelEvent>, forms?: CallForms): AsyncIterable<string>;
  /** A reply in one document. */
  encodeWhole(events: readonly ModelEvent[], forms?: CallForms): JsonObject;
  /** The reply for an error before anything else was sent, in the format's own shape and with its status. */
  encodeError(error: ModelError): WireReply;
}
