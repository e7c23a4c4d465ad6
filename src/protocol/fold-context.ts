/** Folds the prompt's size: what the provider counted, and which prompts were too long. */

import type { FactOf } from "./facts.ts";

export type ContextState = {
  /**
   * Tokens the provider counted for the system prompt, the tools and the first `messages`, and for the answer to them.
   */
  counted?: { messages: number; tokens: number; answer: number; model: string };
  /** The smallest prompt that a model refused as too long. */
  tooLong?: { model: string; tokens: number };
  /** Consecutive answers that failed because the prompt was too long. */
  overflows: number;
  /** Whether the prompt was shortened as far as possible since the model's last answer. */
  isShortened: boolean;
  /** Whether that was done by a summary: each one costs an answer, and another would say the same. */
  isSummarised: boolean;
};

export const emptyContext = (): ContextState => ({ overflows: 0, isShortened: false, isSummarised: false });

/** The failure kind of answers whose prompt was too long. */
export const overflow = "context-overflow";

/** Records the end of an answer by `model`, whose prompt had this many messages. */
export function countAnswer(
  context: ContextState,
  { usage, failure }: FactOf<"answer-end">,
  told: { messages: number; model: string },
): void {
  context.isShortened = false;
  context.isSummarised = false;
  context.overflows = failure?.kind === overflow ? context.overflows + 1 : 0;
  if (usage === undefined || !(usage.inputTokens > 0)) return;
  context.counted = { ...told, tokens: usage.inputTokens, answer: usage.outputTokens };
}

/** A new request starts afresh: overflows of an earlier one must not affect it. */
export function beginContext(context: ContextState): void {
  context.isShortened = false;
  context.isSummarised = false;
  context.overflows = 0;
}

/** Subtracts tokens that were part of the provider's count but have left the prompt. */
export function countTrimmed(context: ContextState, freed: number): void {
  context.isShortened = true;
  if (context.counted) context.counted.tokens = Math.max(1, Math.ceil(context.counted.tokens - freed));
}

/** Records a compaction: the conversation's new number of messages, with the size given in the fact. */
export function countCompacted(
  context: ContextState,
  { because, model, tokensBefore, tokensAfter }: FactOf<"compaction">,
  messages: number,
): void {
  context.isShortened = true;
  context.isSummarised = true;
  context.counted = { messages, tokens: tokensAfter, answer: 0, model };
  if (because !== "overflow") return;
  const known = context.tooLong?.model === model ? context.tooLong.tokens : Infinity;
  context.tooLong = { model, tokens: Math.min(known, tokensBefore) };
}
