/** How long the next prompt is, in tokens: what the provider counted last, and an estimate of what came since. */

import { byteLength } from "../../base/text.ts";
import type { Message, ToolDescription } from "../../protocol/messages.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import { estimateText, likelyOfTool, likelyTokens, mostOfTool, mostTokens } from "./estimate.ts";

/** The prompt whose length is asked: `model` by its name. */
export type PromptParts = {
  state: Pick<SessionState, "messages" | "context">;
  system: string;
  tools: readonly ToolDescription[];
  model: string;
};

/** `counted`: the part of it that the provider counted; `rate`: its tokens for one that is estimated. */
type Count = { tokens: number; counted: number; rate: number };

/** Where estimates were further off than this, something else was counted. */
const rates = { least: 0.5, most: 3 };

export function countPrompt(prompt: PromptParts): Count {
  const rate = rateOf(prompt);
  const known = countedBy(prompt);
  const since = sinceCounted(prompt);
  const estimated = since.reduce(
    (sum, message) => sum + likelyTokens(message),
    known ? 0 : likelyFrame(prompt),
  );
  const counted = known ? known.tokens + known.answer : 0;
  return { tokens: Math.ceil(counted + rate * estimated), counted, rate };
}

/** What it cannot be longer than: cheap, and mostly enough to know that there is room. */
export function mostPrompt(prompt: PromptParts): number {
  const known = countedBy(prompt);
  const start = known ? known.tokens + known.answer : mostFrame(prompt);
  return sinceCounted(prompt).reduce((sum, message) => sum + mostTokens(message), start);
}

/** An estimate of these messages, by what estimates came to so far in this session. */
export const estimateMessages = (messages: readonly Message[], rate: number): number =>
  Math.ceil(rate * messages.reduce((sum, message) => sum + likelyTokens(message), 0));

/** Of what goes with every prompt: the system prompt and the tools. */
export const estimateFrame = (prompt: PromptParts, rate: number): number =>
  Math.ceil(rate * likelyFrame(prompt));

const likelyFrame = ({ system, tools }: PromptParts): number =>
  tools.reduce((sum, tool) => sum + likelyOfTool(tool), systemSize(system));

const mostFrame = ({ system, tools }: PromptParts): number =>
  tools.reduce((sum, tool) => sum + mostOfTool(tool), byteLength(system));

let lastSystem = { text: "", tokens: 0 };

/** It is the same from prompt to prompt. */
function systemSize(text: string): number {
  if (lastSystem.text !== text) lastSystem = { text, tokens: estimateText(text) };
  return lastSystem.tokens;
}

/** Another model counts in other tokens. */
function countedBy(prompt: PromptParts) {
  const counted = credible(prompt);
  return counted?.model === prompt.model ? counted : undefined;
}

/** Some servers report only what they had not cached, which says nothing of the whole. */
function credible({ state: { messages, context } }: PromptParts) {
  const { counted } = context;
  if (!counted) return undefined;
  const most = messages.slice(0, counted.messages).reduce((sum, message) => sum + mostTokens(message), 0);
  return counted.tokens * longestToken >= most ? counted : undefined;
}

/** Bytes, on average over a whole prompt. */
const longestToken = 16;

/** The answer that was counted has its tokens there. */
function sinceCounted(prompt: PromptParts): readonly Message[] {
  const known = countedBy(prompt);
  const { messages } = prompt.state;
  if (!known) return messages;
  const isAnswered = known.answer > 0 && messages[known.messages]?.role === "assistant";
  return messages.slice(known.messages + (isAnswered ? 1 : 0));
}

/**
 * What the provider counted, over what the same prompt would have been estimated at. Another model's is near enough.
 */
function rateOf(prompt: PromptParts): number {
  const counted = credible(prompt);
  if (!counted) return 1;
  const then = prompt.state.messages.slice(0, counted.messages);
  const estimated = then.reduce((sum, message) => sum + likelyTokens(message), likelyFrame(prompt));
  return Math.min(rates.most, Math.max(rates.least, counted.tokens / Math.max(1, estimated)));
}
