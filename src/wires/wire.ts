/** A provider format, both ways: the provider half speaks to a model server, the server half is one. */

import type { JsonObject } from "../base/json.ts";
import type { Ask } from "../protocol/messages.ts";
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
/** The name of a wire of our own. */
export type WireName = (typeof wireNames)[number];

/** What `encodeEvents` gives, written otherwise. */
export type StreamForm = { type: string; rewrite(texts: AsyncIterable<string>): AsyncIterable<string> };

/**
 * How a client wants to read the calls of a tool that it did not offer as a plain function; by the name it has here.
 */
export type CallForms = ReadonlyMap<string, CallForm>;
export type CallForm = {
  /** As the client wrote it. */
  name: string;
  namespace?: string;
  /** "text": the call has no arguments but one text, which here is the argument "input". */
  takes: "arguments" | "text";
};

/** A client's request. `withoutUsage`: its stream is not to tell what the answer used. */
export type Decoded = { ask: Ask; streamed: boolean; forms?: CallForms; withoutUsage?: true };

export type HttpReply = { status: number; headers: Record<string, string>; body: JsonObject };

/** A provider's format, both ways: as its client and as its server. */
export interface Wire {
  readonly name: WireName;

  // The provider half.
  /** The path of a request, after the provider's base URL (which holds any version prefix such as "/v1"). */
  path(model: string, how: { streamed: boolean }): string;
  /** Headers besides content-type: the key, API versions. Without a key there is no authorization header. */
  headers(key: string | undefined): Record<string, string>;
  /** Headers that requests to this model need besides. */
  askHeaders?(model: string): Record<string, string>;
  /** The body of a request; `streamed` false asks for the whole answer in one document. */
  encodeAsk(ask: Ask, how: { streamed: boolean }): JsonObject;
  /**
   * Reads a streamed reply, however its bytes are cut: a list of events for each piece of network data, since an
   * asynchronous turn for each event would cost more than reading it. Ends with answer-end or throws one ModelError.
   */
  decodeBatches(bytes: AsyncIterable<Uint8Array>): AsyncIterable<ModelEvent[]>;
  /** The same events one by one. */
  decodeEvents(bytes: AsyncIterable<Uint8Array>): AsyncIterable<ModelEvent>;
  /** The events of a reply in one document; throws ModelError as `decodeBatches` does. */
  decodeWhole(body: unknown): ModelEvent[];
  /** Reads a reply whose status is not 2xx; `headers` have lower-case names. */
  decodeError(status: number, headers: Record<string, string | undefined>, body: string): ModelError;

  // The server half.
  /** The content type of a streamed reply. */
  readonly streamType: string;
  /** Where it is asked, as Hono's router writes paths; `match` tells which of those are requests of this wire. */
  readonly asked: readonly string[];
  /** The field of a request in which the conversation stands. */
  readonly conversation: string;
  /** What a request without any message is answered with; unless told it is refused. */
  answerToNothing?(model: string): JsonObject;
  /** What its clients ask besides. */
  readonly told: readonly ToldRoute[];
  /** Another form of the stream, where this path asks for one. */
  streamAt?(path: string): StreamForm | undefined;
  /** Whether this method and path is a request of this wire; `model` and `streamed` where the path tells them. */
  match(path: string): { model?: string; streamed?: boolean } | undefined;
  /**
   * Reads a request body. Throws ModelError "bad-request" with the offending field named. What the client's own
   * service would carry out is left out; `forms` go to whoever writes the answer.
   */
  decodeAsk(body: unknown, fromPath?: { model?: string; streamed?: boolean }): Decoded;
  /**
   * The texts of a streamed reply. A ModelError before the first one is thrown on, a later one is told in the stream.
   */
  encodeEvents(events: AsyncIterable<ModelEvent>, forms?: CallForms): AsyncIterable<string>;
  /** A reply in one document. */
  encodeWhole(events: readonly ModelEvent[], forms?: CallForms): JsonObject;
  /** The reply that says so before anything else was sent, in the format's own shape and with its status. */
  encodeError(error: ModelError): HttpReply;
}
