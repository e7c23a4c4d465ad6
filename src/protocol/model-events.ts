/** What a model says while it answers. Never stored as such: `agent/answer` turns it into facts and signals. */

import { withAdvice } from "./advice.ts";
import type { Call, Opaque } from "./messages.ts";

/**
 * Tokens of one answer. `inputTokens` is the whole prompt, cached parts included;
 * `cacheReadTokens` and `cacheWriteTokens` are parts of it; `reasoningTokens` is a part of `outputTokens`.
 */
export type Usage = {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  reasoningTokens?: number;
};

export type EndReason = "stop" | "tool-calls" | "length" | "refusal";

/**
 * One answer is: answer-start, then reasoning, text and calls in the model's order, usage, answer-end.
 * A reasoning block is any number of deltas and one reasoning-end (with no delta when only state came).
 * A text block ends when anything else begins. Calls may interleave (deltas carry their id).
 * The wire alone decides when a call is complete; only `call-end` may be acted on.
 */
export type ModelEvent =
  | { type: "answer-start"; model: string }
  | { type: "reasoning-delta"; text: string }
  | { type: "reasoning-end"; state?: Opaque }
  | { type: "text-delta"; text: string }
  /** The text block that is open was reasoning all along: its closing mark came, though no opening one had. */
  | { type: "text-was-reasoning" }
  | { type: "call-start"; id: string; name: string }
  /**
   * For display only: so much text in a row is held back, because it may become a call; `name` is empty while it is
   * not clear of which tool. Whatever comes next ends it.
   */
  | { type: "withheld"; name: string; characters: number }
  | { type: "call-delta"; id: string; json: string }
  | { type: "call-end"; call: Call }
  | { type: "usage"; usage: Usage }
  /** `complete`: the model has said so in words that were taken out of its text (A27). */
  | { type: "answer-end"; reason: EndReason; state?: Opaque; complete?: true }
  /**
   * Something of the answer was left out on purpose: an invented tool result, a repeated id. `detail` is for people.
   */
  | { type: "notice"; code: string; detail: string }
  /** The provider is asked again before anything of this answer was heard. `because`: what happened. */
  | { type: "retrying"; because: string; waitMs: number; attempt: number };

/** Why a model failed, for programs. */
export type ModelErrorKind =
  | "auth"
  | "rate-limit"
  | "overloaded"
  | "context-overflow"
  | "bad-request"
  | "unknown-model"
  /** Nothing is offered at the address that was asked. */
  | "unknown-path"
  | "network"
  | "timeout"
  | "server"
  | "malformed";

/**
 * What broke, where a program must know: an error event in the stream, a stream without its end,
 * a call that the provider itself could not read, or a reply that promised calls and had none.
 */
export type StreamFault = "stream_error" | "incomplete_stream" | "malformed_by_provider" | "empty_tool_use";

/** What may be known of a failure besides its kind and what happened. */
type FailureDetails = {
  /** What to do next, in a sentence for a person. */
  advice?: string | undefined;
  /** The provider's own words, which `message` quotes; empty where it had none. */
  said?: string | undefined;
  /** Milliseconds the provider asked to wait. */
  retryAfter?: number | undefined;
  /** HTTP status, where there was one. */
  status?: number | undefined;
  /** True when part of the answer had already been heard. */
  midStream?: boolean | undefined;
  /** What broke, where that is known more exactly than by `kind`. */
  fault?: StreamFault | undefined;
  cause?: unknown;
};

/** The one way an answer fails. `message` is one line for a person: what happened. What to do next is `advice`. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly kind: ModelErrorKind;
  readonly advice: FailureDetails["advice"];
  readonly said: FailureDetails["said"];
  readonly retryAfter: FailureDetails["retryAfter"];
  readonly status: FailureDetails["status"];
  readonly midStream: boolean;
  readonly fault: FailureDetails["fault"];

  constructor(kind: ModelErrorKind, message: string, details: FailureDetails = {}) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.advice = details.advice;
    this.said = details.said;
    this.retryAfter = details.retryAfter;
    this.status = details.status;
    this.midStream = details.midStream ?? false;
    this.fault = details.fault;
  }

  /** The same failure, but for these details. */
  with(changes: FailureDetails & { kind?: ModelErrorKind; message?: string }): ModelError {
    const { kind, message, advice, said, retryAfter, status, midStream, fault, cause } = this;
    const details = { advice, said, retryAfter, status, midStream, fault, cause, ...changes };
    return new ModelError(changes.kind ?? kind, changes.message ?? message, details);
  }

  /** For a person: what happened and what to do next. */
  get inFull(): string {
    return withAdvice(this.message, this.advice);
  }
}

/**
 * Whether asking again later can help. Facts are a public format: of a kind that this version does not know, it cannot.
 */
export const isPassing = (kind: string): boolean => passing.some((known) => known === kind);

const passing: readonly ModelErrorKind[] = ["rate-limit", "overloaded", "network", "timeout", "server"];
