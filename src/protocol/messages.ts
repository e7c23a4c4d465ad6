/** A provider-neutral model request and its messages; the wires translate them. */

import type { Json, JsonObject } from "../base/json.ts";

/**
 * `file`: the text is the content of this file or directory, attached by a person and displayed by name. `typed`: what
 * a person typed (`/review 12`) if the text is its expansion: people see `typed`, the model sees the text. `for`: a
 * part of a result that only the model sees, because people see it elsewhere (a command is the call's title).
 */
export type TextPart = { type: "text"; text: string; file?: string; typed?: string; for?: "model" };
/** `data` is base64 without line breaks or a `data:` prefix; `mediaType` is like "image/png". */
export type ImagePart = { type: "image"; mediaType: string; data: string };
/** A piece of a message: text, or a picture. @public */
export type ContentPart = TextPart | ImagePart;

/** The message's texts joined by `between`, without its pictures. */
export const joinTexts = (parts: readonly ContentPart[], between: string): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(between);

/** What a person typed in a message, joined by `between`, without attachments. */
export const typedIn = (parts: readonly ContentPart[], between: string): string =>
  parts
    .flatMap((part) => (part.type === "text" && part.file === undefined ? [part.typed ?? part.text] : []))
    .join(between);

/** The message's texts, joined by line breaks. */
export const textOf = (parts: readonly ContentPart[]): string => joinTexts(parts, "\n");

/**
 * Provider state (signatures, encrypted reasoning): stored verbatim, returned verbatim, only to the wire named in
 * `from`, and only to the model that made it (`isSameModel` in history.ts).
 */
export type Opaque = { from: string; value: Json };

/**
 * A repair without which a call could not be read, in words a person understands.
 * `guess`: there was more than one reading; a call with a guess changes and runs nothing unasked.
 */
export type Repair = { code: string; detail: string; guess?: boolean };

/** Why a call cannot run, for programs; `problem` is the same in words. */
export type CallFault =
  | "unknown_tool"
  | "truncated"
  | "malformed_arguments"
  | "invalid_arguments"
  | "no_envelope"
  | "malformed_envelope"
  | "multiple_envelopes"
  | "duplicate_id"
  | "too_many_calls"
  | "call_in_reasoning"
  | "empty_tool_use";

/** A complete request by the model to use a tool. Only complete calls are acted on. @public */
export type ToolCall = {
  /** The provider's id if it gave one, otherwise made by the wire or dialect; unique within a session. */
  id: string;
  name: string;
  /** The arguments; when `problem` is set, what could be read of them, mostly `{}`. */
  input: JsonObject;
  /** "native", or the name of the dialect that read it from text. */
  source: string;
  /** The arguments as the model wrote them, if they were repaired, could not be read or have too many digits. */
  rawArguments?: string;
  repairs?: Repair[];
  /** Why the arguments could not be read. Such a call never runs; the model gets the problem as its result. */
  problem?: string;
  /** The kind of problem (`CallFault`, or one added by a later version); only together with `problem`. */
  fault?: string;
  /** State that must travel with this call (Gemini's thought signature). */
  state?: Opaque;
  /** Read from text that stands word for word in what the model was shown: perhaps repeated, and no order. */
  repeats?: RepeatedFrom;
};

/** Where a repeated text stands: in the result of an earlier call, or in an attached file. */
export type RepeatedFrom = { callId: string } | { file: string };

export type AssistantPart =
  | { type: "reasoning"; text: string; state?: Opaque }
  | { type: "text"; text: string }
  | { type: "call"; call: ToolCall };

/**
 * `by`: the model that made an answer's opaque state, "provider/model"; absent if there is none or it is unknown.
 * @public
 */
export type Message =
  | { role: "user"; content: ContentPart[] }
  | { role: "assistant"; content: AssistantPart[]; state?: Opaque; by?: string }
  | { role: "tool"; callId: string; name: string; content: ContentPart[]; isError: boolean };

/**
 * `schema` is a JSON Schema whose root is an object. `aliases` are alternative argument names we accept, `{ path:
 * ["file"] }`; they are not sent to the model. @public
 */
export type ToolDescription = {
  name: string;
  description: string;
  schema: JsonObject;
  aliases?: Readonly<Record<string, readonly string[]>> | undefined;
};

export type ToolChoice = "auto" | "none" | "required" | { name: string };
export const efforts = ["off", "low", "medium", "high"] as const;
export type ReasoningEffort = (typeof efforts)[number];

/** How much a session's model thinks before it answers; `default`: as much as it does by itself. */
export const reasonings = ["default", ...efforts] as const;
export type Reasoning = (typeof reasonings)[number];

/** The part of a prompt that a session's setting is. */
export const askedEffort = (set: Reasoning = "default"): { reasoning?: ReasoningEffort } =>
  set === "default" ? {} : { reasoning: set };

/**
 * The form to which a server holds a model while it writes, in the terms of servers that can: a grammar of llama.cpp
 * (GBNF), structural tags (vLLM, SGLang), a schema of the whole answer, or schemas that are enforced for native calls, by
 * the names of their tools.
 */
export type Constraint =
  | { type: "grammar"; grammar: string }
  | { type: "structural-tags"; format: JsonObject }
  | { type: "schema"; schema: JsonObject }
  | { type: "strict"; schemas: Readonly<Record<string, JsonObject>> };

/** JSON, conforming to this schema if there is one. */
export type AnswerFormat = { schema?: JsonObject };

/**
 * What a model is given to answer: a request without the model's name, which the model knows. `system` and `tools` may
 * be empty. @public
 */
export type Prompt = {
  system: string;
  /**
   * The end of `system` that differs between workspaces. Whatever is added to `system` goes before it, so that a server
   * finds as much as possible in its cache.
   */
  place?: string;
  messages: Message[];
  tools: ToolDescription[];
  toolChoice?: ToolChoice;
  /** Set when a client of our server accepts at most one call in an answer. Not sent to providers: few support it. */
  oneCall?: true;
  /** Set when a client of our server wants JSON text. The system text says so, too: few servers hold a model to it. */
  format?: AnswerFormat;
  /** Sent only to servers that are known to understand it. */
  constraint?: Constraint;
  /** Upper bound for the answer, in tokens. */
  maxTokens?: number;
  /** From 0, the most repeatable, to 1 or 2, depending on the provider. */
  temperature?: number;
  /** Texts at which the answer ends; they are not part of it. */
  stop?: string[];
  /** Default: the model's own. */
  reasoning?: ReasoningEffort;
  /** The context window to reserve, in tokens, for servers that must be told (Ollama's `num_ctx`). */
  contextTokens?: number;
  /**
   * The same for all requests with a common beginning (a session's id), so that a provider can find its cached prefix.
   */
  cacheKey?: string;
};

/** A prompt with the provider's name for the model, without the provider's own name. */
export type Ask = Prompt & { model: string };
