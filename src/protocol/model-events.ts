/** Events a model emits while it answers. Never stored as such: `agent/answer` turns them into facts and signals. */

import { withAdvice } from "./advice.ts";
import type { ToolCall, Opaque } from "./messages.ts";

/**
 * Tokens of one answer. `inputTokens` is the whole prompt, cached parts included;
 * `cacheReadTokens` and `cacheWriteTokens` are parts of it; `reasoningTokens` is a part of `outputTokens`. @public
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
 * The wire alone decides when a call is complete; only `call-end` may be acted on. @public
 */
export type ModelEvent =
  | { type: "answer-start"; model: string }
  | { type: "reasoning-delta"; text: string }
  | { type: "reasoning-end"; state?: Opaque }
  | { type: "text-delta"; text: string }
  /** The open text block was reasoning all along: its closing mark arrived, although no opening one had. */
  | { type: "text-was-reasoning" }
  | { type: "call-start"; id: string; name: string }
  /**
   * For display only: this many consecutive characters are held back because they may become a call; `name` is empty
   * while the tool is unclear. Any next event ends it. Towards a server's client it is a sign of life.
   */
  | { type: "withheld"; name: string; characters: number }
  | { type: "call-delta"; id: string; json: string }
  | { type: "call-end"; call: ToolCall }
  | { type: "usage"; usage: Usage }
  /** `complete`: the model declared completion, in words that were removed from its text (A27). */
  | { type: "answer-end"; reason: EndReason; state?: Opaque; complete?: true }
  /** Part of the answer was dropped on purpose: an invented tool result, a repeated id. `detail` is for people. */
  | { type: "notice"; code: string; detail: string }
  /** The request is retried before any of this answer arrived. `because`: what happened. */
  | { type: "retrying"; because: string; waitMs: number; attempt: number };

/** Why a model failed, for programs. @public */
export type ModelErrorKind =
  | "auth"
  | "rate-limit"
  | "overloaded"
  | "context-overflow"
  | "bad-request"
  | "unknown-model"
  /** The requested address does not exist on the server. */
  | "unknown-path"
  | "network"
  | "timeout"
  | "server"
  | "malformed";

/**
 * The exact fault, if a program must know it: an error event in the stream, a stream without its end, a call that the
 * provider itself could not read, or a reply that promised calls and had none.
 */
export type StreamFault = "stream_error" | "incomplete_stream" | "malformed_by_provider" | "empty_tool_use";

/** Optional details of a failure besides its kind and message. */
type FailureDetails = {
  /** What to do next, in a sentence for a person. */
  advice?: string | undefined;
  /** The provider's own words, as quoted in `message`; empty if it sent none. */
  said?: string | undefined;
  /** What the model had written, if the report of the failure holds it whole. */
  written?: string | undefined;
  /** Milliseconds the provider asked to wait. */
  retryAfter?: number | undefined;
  /** HTTP status, if there was one. */
  status?: number | undefined;
  /** True if part of the answer had already arrived. */
  midStream?: boolean | undefined;
  /** The fault, if known more exactly than by `kind`. */
  fault?: StreamFault | undefined;
  cause?: unknown;
};

/**
 * The only error type by which an answer fails. `message` is one line for a person: what happened. `advice` says what
 * to do next. @public
 */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly kind: ModelErrorKind;
  readonly advice: FailureDetails["advice"];
  readonly said: FailureDetails["said"];
  readonly written: FailureDetails["written"];
  readonly retryAfter: FailureDetails["retryAfter"];
  readonly status: FailureDetails["status"];
  readonly midStream: boolean;
  readonly fault: FailureDetails["fault"];

  constructor(kind: ModelErrorKind, message: string, details: FailureDetails = {}) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.advice = details.advice;
    this.said = details.said;
    this.written = details.written;
    this.retryAfter = details.retryAfter;
    this.status = details.status;
    this.midStream = details.midStream ?? false;
    this.fault = details.fault;
  }

  /** A copy of this failure with these details changed. */
  with(changes: FailureDetails & { kind?: ModelErrorKind; message?: string }): ModelError {
    const { kind, message, advice, said, written, retryAfter, status, midStream, fault, cause } = this;
    const details = { advice, said, written, retryAfter, status, midStream, fault, cause, ...changes };
    return new ModelError(changes.kind ?? kind, changes.message ?? message, details);
  }

  /** For a person: what happened and what to do next. */
  get inFull(): string {
    return withAdvice(this.message, this.advice);
  }
}

/**
 * Whether a later retry can help. Facts are a public format, so `kind` may be unknown to this version; then the answer
 * is no.
 */
export const isPassing = (kind: string): boolean => passing.some((known) => known === kind);

const passing: readonly ModelErrorKind[] = ["rate-limit", "overloaded", "network", "timeout", "server"];
