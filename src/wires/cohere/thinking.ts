/** Limits on a Cohere model's thinking, encoded and decoded, and the state that tells its thoughts from its plans. */

import type { JsonObject } from "../../base/json.ts";
import type { Ask, AssistantPart, Opaque, ReasoningEffort } from "../../protocol/messages.ts";
import { optionalNumber, optionalText, requiredObject } from "../ask-fields.ts";

export const wireName = "cohere";

/**
 * Thinking models reason in a separate block, the others in the `tool_plan` before their calls. Each goes back in the
 * same form; a thought from another wire goes back as a plan, which every model accepts.
 */
export const thoughtState: Opaque = { from: wireName, value: "thinking" };

export const isThought = (part: AssistantPart): boolean =>
  part.type === "reasoning" && part.state?.from === wireName && part.state.value === thoughtState.value;

/** Token budgets for thinking. "high" has none: unlimited is the default, and the vendor's recommendation. */
const budgets = { low: 2048, medium: 8192 } as const;

/** The field `thinking`. It is sent only on request, because models that cannot think do not know it. */
export function thinkingOf({ reasoning, maxTokens }: Ask): JsonObject | undefined {
  if (reasoning === undefined) return undefined;
  if (reasoning === "off") return { type: "disabled" };
  if (reasoning === "high") return { type: "enabled" };
  // Thinking counts towards max_tokens, and some room must be left for the answer.
  const most = maxTokens === undefined ? Infinity : Math.max(1, Math.floor(maxTokens / 2));
  return { type: "enabled", token_budget: Math.min(budgets[reasoning], most) };
}

/** The effort that a client requests. */
export function effortOf(thinking: unknown): ReasoningEffort | undefined {
  if (thinking === undefined || thinking === null) return undefined;
  const said = requiredObject(thinking, "thinking");
  if (optionalText(said["type"], "thinking.type") === "disabled") return "off";
  const budget = optionalNumber(said["token_budget"], "thinking.token_budget") ?? Infinity;
  if (budget <= budgets.low) return "low";
  return budget <= budgets.medium ? "medium" : "high";
}
