/** Folding what the log tells of the prompt's size: what a provider counted of it, and where it was too long. */

import type { FactOf } from "./facts.ts";

export type ContextState = {
  /** What the first `messages` of the conversation came to with system prompt and tools, and the answer to them. */
  counted?: { messages: number; tokens: number; answer: number; model: string };
  /** The smallest prompt that was too long for a model. */
  tooLong?: { model: string; tokens: number };
  /** Answers in a row that failed because the prompt was too long. */
  overflows: number;
  /** Whether what the model is told was shortened since its last answer, as far as that could be done. */
  isShortened: boolean;
  /** Whether that was by a summary: each costs an answer, and another one would tell the same. */
  isSummarised: boolean;
};

export const emptyContext = (): ContextState => ({ overflows: 0, isShortened: false, isSummarised: false });

/** How answers that fail because the prompt was too long are named. */
export const overflow = "context-overflow";

/** An answer of `model` has ended, which was told so many messages. */
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

/** A request begins: what an earlier one failed of may not trouble it. */
export function beginContext(context: ContextState): void {
  context.isShortened = false;
  context.isSummarised = false;
  context.overflows = 0;
}

/** So many tokens of what was counted are not told any more. */
export function countTrimmed(context: ContextState, freed: number): void {
  context.isShortened = true;
  if (context.counted) context.counted.tokens = Math.max(1, Math.ceil(context.counted.tokens - freed));
}

/** The conversation has become one of so many messages, whose size was told with the fact. */
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
