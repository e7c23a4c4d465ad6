/** The next prompt's length in tokens: the provider's last count plus an estimate of everything since. */

import { byteLength } from "../../base/text.ts";
import type { Message, ToolDescription } from "../../protocol/messages.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import { estimateText, likelyOfTool, likelyTokens, mostOfTool, mostTokens } from "./estimate.ts";

/** The parts of the prompt to be measured; `model` by its name. */
export type PromptParts = {
  state: Pick<SessionState, "messages" | "context">;
  system: string;
  tools: readonly ToolDescription[];
  model: string;
};

/** `counted`: the part that the provider counted; `rate`: real tokens per estimated token. */
type Count = { tokens: number; counted: number; rate: number };

/** Bounds on the rate: an estimate further off than this was compared with a different prompt. */
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

/** An upper bound: cheap, and usually enough to know that there is room. */
export function mostPrompt(prompt: PromptParts): number {
  const known = countedBy(prompt);
  const start = known ? known.tokens + known.answer : mostFrame(prompt);
  return sinceCounted(prompt).reduce((sum, message) => sum + mostTokens(message), start);
}

/** Estimates these messages, corrected by how estimates compared with real counts so far in this session. */
export const estimateMessages = (messages: readonly Message[], rate: number): number =>
  Math.ceil(rate * messages.reduce((sum, message) => sum + likelyTokens(message), 0));

/** Estimates the fixed part of every prompt: the system prompt and the tools. */
export const estimateFrame = (prompt: PromptParts, rate: number): number =>
  Math.ceil(rate * likelyFrame(prompt));

const likelyFrame = ({ system, tools }: PromptParts): number =>
  tools.reduce((sum, tool) => sum + likelyOfTool(tool), systemSize(system));

const mostFrame = ({ system, tools }: PromptParts): number =>
  tools.reduce((sum, tool) => sum + mostOfTool(tool), byteLength(system));

let lastSystem = { text: "", tokens: 0 };

/** Caches the last estimate, since the text is the same from prompt to prompt. */
function systemSize(text: string): number {
  if (lastSystem.text !== text) lastSystem = { text, tokens: estimateText(text) };
  return lastSystem.tokens;
}

/** Undefined for a count by another model: its tokens differ. */
function countedBy(prompt: PromptParts) {
  const counted = credible(prompt);
  return counted?.model === prompt.model ? counted : undefined;
}

/**
 * Undefined for implausibly low counts: some servers report only uncached tokens, which says nothing about the whole.
 */
function credible({ state: { messages, context } }: PromptParts) {
  const { counted } = context;
  if (!counted) return undefined;
  const most = messages.slice(0, counted.messages).reduce((sum, message) => sum + mostTokens(message), 0);
  return counted.tokens * longestToken >= most ? counted : undefined;
}

/** Most bytes per token, on average over a whole prompt. */
const longestToken = 16;

/** Messages after the provider's count; the answer that came with it is already included. */
function sinceCounted(prompt: PromptParts): readonly Message[] {
  const known = countedBy(prompt);
  const { messages } = prompt.state;
  if (!known) return messages;
  const isAnswered = known.answer > 0 && messages[known.messages]?.role === "assistant";
  return messages.slice(known.messages + (isAnswered ? 1 : 0));
}

/** The provider's count divided by our estimate of the same prompt. Another model's count is close enough here. */
function rateOf(prompt: PromptParts): number {
  const counted = credible(prompt);
  if (!counted) return 1;
  const then = prompt.state.messages.slice(0, counted.messages);
  const estimated = then.reduce((sum, message) => sum + likelyTokens(message), likelyFrame(prompt));
  return Math.min(rates.most, Math.max(rates.least, counted.tokens / Math.max(1, estimated)));
}
