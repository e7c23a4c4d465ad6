/** Reports to people what fills a session's context: each kind of content, and the largest results. */

import { summaryIn, wordsOf } from "../../protocol/fold-compaction.ts";
import type { Message } from "../../protocol/messages.ts";
import { type SessionState, titleOfCall } from "../../protocol/session-state.ts";
import type { Model } from "../../providers/provider.ts";
import { budgetFor } from "./budget.ts";
import { countPrompt, estimateFrame, type PromptParts } from "./count.ts";
import { estimateText, likelyTokens } from "./estimate.ts";

export type Filling = "system" | "tools" | "user" | "summary" | "answers" | "results" | "notes";

/** What fills the context of a session, in tokens. @experimental */
export type ContextReport = {
  session: string;
  model: string;
  /** The model's context window; `isAssumed`: its real size is unknown, and this is a typical one. */
  window: number;
  isAssumed: boolean;
  /** The longest allowed prompt, and the length from which room is made. */
  limit: number;
  makesRoomAt: number;
  /**
   * Tokens of the next prompt, without the message about to be sent; the provider counted `counted` of them, the rest
   * is estimated.
   */
  tokens: number;
  counted: number;
  parts: { of: Filling; tokens: number; count: number }[];
  /** Results in the prompt in full, the largest first. */
  largest: { callId: string; name: string; title: string; tokens: number }[];
  /** Number of results replaced by a single line. */
  leftOut: number;
  /** How often the conversation was summarised. */
  compactions: number;
};

const mostNamed = 10;

export function contextReport(
  prompt: PromptParts & { state: SessionState },
  model: Pick<Model, "name" | "contextTokens">,
): ContextReport {
  const { state } = prompt;
  const { window, isAssumed, limit, soft } = budgetFor(model, state.context, estimateFrame(prompt, 1));
  const { tokens, counted } = countPrompt(prompt);
  const parts = partsOf(prompt);
  const estimated = parts.reduce((sum, part) => sum + part.tokens, 0);
  const scale = tokens / Math.max(1, estimated);
  const inTokens = (likely: number): number => Math.round(likely * scale);
  return {
    session: state.session,
    model: model.name,
    window,
    isAssumed,
    limit,
    makesRoomAt: soft,
    tokens,
    counted,
    parts: parts.map((part) => ({ ...part, tokens: inTokens(part.tokens) })),
    largest: largestOf(state).map((result) => ({ ...result, tokens: inTokens(result.tokens) })),
    leftOut: state.messages.filter((message) => message.role === "tool" && state.trimmed.has(message.callId))
      .length,
    compactions: state.compactions,
  };
}

type ReportParts = ContextReport["parts"];

/** Estimates only; the total is known more exactly. */
function partsOf(prompt: PromptParts & { state: SessionState }): ReportParts {
  const { state, tools } = prompt;
  const system = estimateFrame({ ...prompt, tools: [] }, 1);
  const parts: ReportParts = [
    { of: "system", tokens: system, count: 1 },
    { of: "tools", tokens: estimateFrame(prompt, 1) - system, count: tools.length },
  ];
  const add = (of: Filling, tokens: number, count: number): void => {
    const known = parts.find((part) => part.of === of);
    if (known) {
      known.tokens += tokens;
      known.count += count;
    } else parts.push({ of, tokens, count });
  };
  for (const message of state.messages) {
    if (message === state.brief) {
      const summary = estimateText(summaryIn(message) ?? "");
      add("summary", summary, 1);
      add("user", likelyTokens(message) - summary, state.said.length - standing(state));
    } else add(kindOf(message, state), likelyTokens(message), 1);
  }
  return parts;
}

/** Counts people's messages still in their original place, not in the message that opens a compacted conversation. */
function standing({ messages, said, brief }: SessionState): number {
  const isSaid = wordsOf(said);
  return messages.filter((message) => message !== brief && isSaid(message)).length;
}

function kindOf(message: Message, { said }: SessionState): Filling {
  if (message.role === "tool") return "results";
  if (message.role === "assistant") return "answers";
  return said.includes(message.content) ? "user" : "notes";
}

function largestOf({ messages, trimmed, calls }: SessionState): ContextReport["largest"] {
  return messages
    .flatMap((message) => {
      if (message.role !== "tool" || trimmed.has(message.callId)) return [];
      const { callId, name } = message;
      const known = calls.get(callId);
      const title = known ? titleOfCall(known) : "";
      return [{ callId, name, title, tokens: likelyTokens(message) }];
    })
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, mostNamed);
}
