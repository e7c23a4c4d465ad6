/** How long the next prompt is, in tokens: what the provider counted last, and an estimate of what came since. */

import { byteLength } from "../../base/text.ts";
import type { Message, ToolDescription } from "../../protocol/messages.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import { estimateText, likelyOfTool, likelyTokens, mostOfTool, mostTokens } from "./estimate.ts";

/** The prompt whose length is asked: `model` by its name. */
export type Told = {
  state: Pick<SessionState, "messages" | "context">;
  system: string;
  tools: readonly ToolDescription[];
  model: string;
};

/** `counted`: the part of it that the provider counted; `rate`: its tokens for one that is estimated. */
type Count = { tokens: number; counted: number; rate: number };

/** Where estimates were further off than this, something else was counted. */
const rates = { least: 0.5, most: 3 };

export function countPrompt(told: Told): Count {
  const rate = rateOf(told);
  const known = countedBy(told);
  const since = sinceCounted(told);
  const estimated = since.reduce(
    (sum, message) => sum + likelyTokens(message),
    known ? 0 : likelyFrame(told),
  );
  const counted = known ? known.tokens + known.answer : 0;
  return { tokens: Math.ceil(counted + rate * estimated), counted, rate };
}

/** What it cannot be longer than: cheap, and mostly enough to know that there is room. */
export function mostPrompt(told: Told): number {
  const known = countedBy(told);
  const start = known ? known.tokens + known.answer : mostFrame(told);
  return sinceCounted(told).reduce((sum, message) => sum + mostTokens(message), start);
}

/** An estimate of these messages, by what estimates came to so far in this session. */
export const estimateMessages = (messages: readonly Message[], rate: number): number =>
  Math.ceil(rate * messages.reduce((sum, message) => sum + likelyTokens(message), 0));

/** Of what goes with every prompt: the system prompt and the tools. */
export const estimateFrame = (told: Told, rate: number): number => Math.ceil(rate * likelyFrame(told));

const likelyFrame = ({ system, tools }: Told): number =>
  tools.reduce((sum, tool) => sum + likelyOfTool(tool), systemSize(system));

const mostFrame = ({ system, tools }: Told): number =>
  tools.reduce((sum, tool) => sum + mostOfTool(tool), byteLength(system));

let lastSystem = { text: "", tokens: 0 };

/** It is the same from prompt to prompt. */
function systemSize(text: string): number {
  if (lastSystem.text !== text) lastSystem = { text, tokens: estimateText(text) };
  return lastSystem.tokens;
}

/** Another model counts in other tokens. */
function countedBy(told: Told) {
  const counted = credible(told);
  return counted?.model === told.model ? counted : undefined;
}

/** Some servers report only what they had not cached, which says nothing of the whole. */
function credible({ state: { messages, context } }: Told) {
  const { counted } = context;
  if (!counted) return undefined;
  const most = messages.slice(0, counted.messages).reduce((sum, message) => sum + mostTokens(message), 0);
  return counted.tokens * longestToken >= most ? counted : undefined;
}

/** Bytes, on average over a whole prompt. */
const longestToken = 16;

/** The answer that was counted has its tokens there. */
function sinceCounted(told: Told): readonly Message[] {
  const known = countedBy(told);
  const { messages } = told.state;
  if (!known) return messages;
  const isAnswered = known.answer > 0 && messages[known.messages]?.role === "assistant";
  return messages.slice(known.messages + (isAnswered ? 1 : 0));
}

/**
 * What the provider counted, over what the same prompt would have been estimated at. Another model's is near enough.
 */
function rateOf(told: Told): number {
  const counted = credible(told);
  if (!counted) return 1;
  const then = told.state.messages.slice(0, counted.messages);
  const estimated = then.reduce((sum, message) => sum + likelyTokens(message), likelyFrame(told));
  return Math.min(rates.most, Math.max(rates.least, counted.tokens / Math.max(1, estimated)));
}
