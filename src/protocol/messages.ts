/** What is said to a model: one provider-neutral request, translated by the wires. */

import type { Json, JsonObject } from "../base/json.ts";

/**
 * `file`: it is the content of this file or directory, which a person sent along: shown by its name. `typed`: what a
 * person typed (`/review 12`), where the text is what that stands for: people are shown it, the model is told the text.
 * `for`: in a result, what people see elsewhere (the command is the call's title): the model alone is told it.
 */
export type TextPart = { type: "text"; text: string; file?: string; typed?: string; for?: "model" };
/** `data` is base64 without line breaks or a `data:` prefix; `mediaType` is like "image/png". */
export type ImagePart = { type: "image"; mediaType: string; data: string };
/** A piece of a message: text, or a picture. */
export type Part = TextPart | ImagePart;

/** The texts of a message with `between` in between, without its pictures. */
export const joinTexts = (parts: readonly Part[], between: string): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(between);

/** What a person wrote of a message, with `between` in between: without what went along. */
export const typedIn = (parts: readonly Part[], between: string): string =>
  parts
    .flatMap((part) => (part.type === "text" && part.file === undefined ? [part.typed ?? part.text] : []))
    .join(between);

/** The texts of a message, each on lines of its own. */
export const textOf = (parts: readonly Part[]): string => joinTexts(parts, "\n");

/**
 * Provider state (signatures, encrypted reasoning): kept verbatim, returned verbatim, only to the wire named in `from`,
 * and only to the model that made it (`isSameModel` in history.ts).
 */
export type Opaque = { from: string; value: Json };

/**
 * What had to be mended before a call could be read, in words a person understands.
 * `guess`: there was more than one reading; a call with a guess changes and runs nothing unasked.
 */
export type Repair = { code: string; detail: string; guess?: boolean };

/** Why a call cannot run, for programs; `problem` says it in words. */
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
  | "call_in_reasoning";

/** A complete request of the model to use a tool. Only a complete call is ever acted on. */
export type Call = {
  /** The provider's id where it gave one, else made by the wire or dialect; unique within a session. */
  id: string;
  name: string;
  /** The arguments; `{}` when `problem` is set. */
  input: JsonObject;
  /** "native", or the name of the dialect that read it from text. */
  source: string;
  /** The arguments as the model wrote them: where they were repaired, could not be read or have too many digits. */
  rawArguments?: string;
  repairs?: Repair[];
  /** Why the arguments could not be read. A call with a problem is never run; the model is told. */
  problem?: string;
  /** What kind of problem it is (`CallFault`, and what later versions add); only together with `problem`. */
  fault?: string;
  /** State that must travel with this call (Gemini's thought signature). */
  state?: Opaque;
};

export type AssistantPart =
  | { type: "reasoning"; text: string; state?: Opaque }
  | { type: "text"; text: string }
  | { type: "call"; call: Call };

/** `by`: the model that made the state in an answer, "provider/model"; absent where there is none, or nobody knows. */
export type Message =
  | { role: "user"; content: Part[] }
  | { role: "assistant"; content: AssistantPart[]; state?: Opaque; by?: string }
  | { role: "tool"; callId: string; name: string; content: Part[]; isError: boolean };

/**
 * `schema` is a JSON Schema whose root is an object. `aliases` are other names of arguments that are understood,
 * `{ path: ["file"] }`; they are not sent.
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

/** JSON; of this schema, where there is one. */
export type AnswerFormat = { schema?: JsonObject };

/** One request to a model. `system` may be empty; so may `tools`. */
export type Ask = {
  /** As the provider calls it, without the provider's name. */
  model: string;
  system: string;
  messages: Message[];
  tools: ToolDescription[];
  toolChoice?: ToolChoice;
  /**
   * The client of a server of ours takes no more than one call in an answer. No provider is told: few of them know it.
   */
  oneCall?: true;
  /** The client of a server of ours wants its text to be JSON. No provider is told: it stands in the system text. */
  format?: AnswerFormat;
  /** Upper bound for the answer, in tokens. */
  maxTokens?: number;
  /** From 0, the same answer each time, to 1 or 2, as the provider has it. */
  temperature?: number;
  /** Texts at which the answer ends; they are no part of it. */
  stop?: string[];
  /** Default: the model's own. */
  reasoning?: ReasoningEffort;
  /** The context window to reserve, in tokens, for servers that must be told (Ollama's `num_ctx`). */
  contextTokens?: number;
  /** The same for all requests that begin alike (a session's id), so that a provider can find what it has cached. */
  cacheKey?: string;
};
