/** How much a Cohere model may think, both ways, and what tells its thoughts from its plans. */

import type { JsonObject } from "../../base/json.ts";
import type { Ask, AssistantPart, Opaque, ReasoningEffort } from "../../protocol/messages.ts";
import { optionalNumber, optionalText, requiredObject } from "../ask-fields.ts";

export const wireName = "cohere";

/**
 * Models that can think do it in a block of their own, the others in the `tool_plan` before their calls. Each goes
 * back as it came; a thought that another wire heard goes back as a plan, which every model takes.
 */
export const thoughtState: Opaque = { from: wireName, value: "thinking" };

export const isThought = (part: AssistantPart): boolean =>
  part.type === "reasoning" && part.state?.from === wireName && part.state.value === thoughtState.value;

/** Tokens for thinking. High has no bound of its own: that is the default, and what the vendor recommends. */
const budgets = { low: 2048, medium: 8192 } as const;

/** The field `thinking`. Models that cannot think know nothing of it, so it is only sent when somebody asked. */
export function thinkingOf({ reasoning, maxTokens }: Ask): JsonObject | undefined {
  if (reasoning === undefined) return undefined;
  if (reasoning === "off") return { type: "disabled" };
  if (reasoning === "high") return { type: "enabled" };
  // Thinking counts towards max_tokens, and something must be left for the answer.
  const most = maxTokens === undefined ? Infinity : Math.max(1, Math.floor(maxTokens / 2));
  return { type: "enabled", token_budget: Math.min(budgets[reasoning], most) };
}

/** The effort that a client asks for. */
export function effortOf(thinking: unknown): ReasoningEffort | undefined {
  if (thinking === undefined || thinking === null) return undefined;
  const said = requiredObject(thinking, "thinking");
  if (optionalText(said["type"], "thinking.type") === "disabled") return "off";
  const budget = optionalNumber(said["token_budget"], "thinking.token_budget") ?? Infinity;
  if (budget <= budgets.low) return "low";
  return budget <= budgets.medium ? "medium" : "high";
}
