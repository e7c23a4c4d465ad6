/** How much an Anthropic model may think and write, both ways. */
import type { JsonObject } from "../../base/json.ts";
import type { Ask, ReasoningEffort } from "../../protocol/messages.ts";
import { presentJson } from "../present.ts";
import { numberAt, objectAt, stringAt } from "../fields.ts";

/** `max_tokens` is required; without a bound from the asker, the answer itself may have this many. */
export const defaultMaxTokens = 16_384;

/** Thinking counts towards `max_tokens`; the room for it is added only when the asker gave no bound. */
export const thinkingRoom: Record<Exclude<ReasoningEffort, "off">, number> = {
  low: 2048,
  medium: 6144,
  high: 12_288,
};
const leastBudget = 1024;

/** The fields `max_tokens`, `thinking`, `output_config` and `temperature` of a request. */
export function limitsOf(ask: Ask): JsonObject {
  const manners = mannersOf(ask.model);
  const effort = isForced(ask) || ask.reasoning === "off" ? undefined : ask.reasoning;
  const maxTokens = ask.maxTokens ?? defaultMaxTokens + (effort ? thinkingRoom[effort] : 0);
  const thinking = effort ? thinkingOf(effort, maxTokens, manners) : off(ask, manners);
  const isThinking = thinking !== undefined && thinking["type"] !== "disabled";
  const temperature = isThinking || !manners.temperature ? undefined : ask.temperature;
  return presentJson({
    max_tokens: maxTokens,
    thinking,
    output_config: effort && manners.adaptive ? { effort } : undefined,
    temperature: temperature === undefined ? undefined : Math.min(1, temperature),
  });
}

/** A forced tool choice and thinking exclude each other; what the asker forces goes first. */
const isForced = (ask: Ask): boolean =>
  ask.tools.length > 0 && (ask.toolChoice === "required" || typeof ask.toolChoice === "object");

function thinkingOf(
  effort: keyof typeof thinkingRoom,
  maxTokens: number,
  manners: Manners,
): JsonObject | undefined {
  if (manners.adaptive) return { type: "adaptive", display: "summarized" };
  const budget = Math.min(thinkingRoom[effort], Math.floor(maxTokens / 2));
  return budget < leastBudget ? undefined : { type: "enabled", budget_tokens: budget };
}

const off = (ask: Ask, manners: Manners): JsonObject | undefined =>
  ask.reasoning === "off" && !manners.alwaysThinks ? { type: "disabled" } : undefined;

type Manners = { adaptive: boolean; temperature: boolean; alwaysThinks: boolean };

/**
 * What a model of this name accepts: since Claude 4.6 an effort ("adaptive") takes the place of a budget, since 4.7
 * budgets and temperatures are refused. Models of other makers behind this format know the older form.
 * https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking
 */
function mannersOf(model: string): Manners {
  const alwaysThinks = /claude-(mythos|fable)/.test(model);
  const version = /claude-(?:[a-z]+-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/.exec(model);
  const number = Number(version?.[1] ?? 0) * 100 + Number(version?.[2] ?? 0);
  return {
    adaptive: alwaysThinks || number >= 406,
    temperature: !alwaysThinks && number < 407,
    alwaysThinks,
  };
}

/** The effort that a client asks for. */
export function effortOf(body: Record<string, unknown>): ReasoningEffort | undefined {
  const thinking = objectAt(body, "thinking");
  const kind = stringAt(thinking, "type");
  if (kind === undefined) return undefined;
  if (kind === "disabled") return "off";
  if (kind === "enabled") return effortOfBudget(numberAt(thinking, "budget_tokens") ?? 0);
  const effort = stringAt(objectAt(body, "output_config"), "effort");
  return effort === "low" || effort === "medium" ? effort : "high";
}

function effortOfBudget(budget: number): ReasoningEffort {
  if (budget <= 4096) return "low";
  return budget <= 8192 ? "medium" : "high";
}
