/** Plans a compaction, what it would replace and free, before a summary is requested. */

import { inShort, summaryIn } from "../../protocol/fold-compaction.ts";
import type { Message } from "../../protocol/messages.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import type { ContextBudget } from "./budget.ts";
import { estimateMessages } from "./count.ts";
import { estimateText } from "./estimate.ts";

/**
 * `keep`: how many of the last messages stay unchanged. `freed`: tokens freed if the summary takes `summary` tokens.
 */
export type CompactionPlan = { keep: number; freed: number; summary: number };

/** The usual length of a summary, and its share of a small budget. */
const usualSummary = { tokens: 700, share: 0.15 };

type PlannedConversation = Pick<SessionState, "messages" | "said" | "brief">;

export function planCompaction(
  state: PlannedConversation,
  { kept, space }: ContextBudget,
  rate: number,
): CompactionPlan {
  const whole = estimateMessages(state.messages, rate);
  const keep = keptOf(state.messages, {
    usual: Math.min(kept, whole / 5),
    most: Math.min(space, whole) / 2,
    rate,
  });
  const summary = expectedSummary(state.brief, space, rate);
  const after = estimateMessages(inShort(state, { keep, summary: "" }), rate) + summary;
  return { keep, freed: whole - after, summary };
}

/** At least as long as the earlier one: a plan must not gain just by repeating that summary. */
function expectedSummary(brief: Message | undefined, space: number, rate: number): number {
  const earlier = brief ? Math.ceil(rate * estimateText(summaryIn(brief) ?? "")) : 0;
  return Math.max(earlier, Math.ceil(Math.min(usualSummary.tokens, space * usualSummary.share)));
}

/** Whole groups from the end, as many as fit; the last group may be larger than usual. */
function keptOf(
  messages: readonly Message[],
  { usual, most, rate }: { usual: number; most: number; rate: number },
): number {
  let keep = 0;
  let tokens = 0;
  for (let end = messages.length; end > 0;) {
    const start = groupStart(messages, end);
    tokens += estimateMessages(messages.slice(start, end), rate);
    if (tokens > (keep === 0 ? most : usual)) break;
    keep = messages.length - start;
    end = start;
  }
  return keep;
}

/** Start of a message with its results: they must stay together. */
function groupStart(messages: readonly Message[], end: number): number {
  let start = end - 1;
  while (start > 0 && messages[start]?.role === "tool") start -= 1;
  return start;
}
