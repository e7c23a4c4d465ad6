/** Limits on thinking and output for Anthropic's models, encoded and decoded. */

import type { JsonObject } from "../../base/json.ts";
import type { Ask, ReasoningEffort } from "../../protocol/messages.ts";
import { numberAt, objectAt, stringAt } from "../fields.ts";
import { presentJson } from "../present.ts";

/** Consecutive messages of one side. */
export type Turn = { role: "user" | "assistant"; content: JsonObject[] };

/** `max_tokens` is required; this is the default for the answer itself if the request sets no limit. */
const defaultMaxTokens = 16_384;

/** Thinking counts towards `max_tokens`; this room is added only if the request sets no limit. */
const thinkingSpace: Record<Exclude<ReasoningEffort, "off">, number> = {
  low: 2048,
  medium: 6144,
  high: 12_288,
};
const leastBudget = 1024;

/** The fields `max_tokens`, `thinking`, `output_config` and `temperature` of a request. */
export function limitsOf(ask: Ask, turns: readonly Turn[]): JsonObject {
  const manners = mannersOf(ask.model);
  const isBarred = isForced(ask) || (manners.wantsThoughts && isUnthought(turns));
  const effort = isBarred || ask.reasoning === "off" ? undefined : ask.reasoning;
  const maxTokens = ask.maxTokens ?? defaultMaxTokens + (effort ? thinkingSpace[effort] : 0);
  const told = effort ? thinkingOf(effort, maxTokens, manners) : off(ask, manners);
  const isBound = manners.bindsThoughts && turns.some(hasThoughts);
  const thinking: JsonObject | undefined = isBound ? { ...(told ?? plain), ...unbound } : told;
  const isThinking = thinking !== undefined && thinking["type"] !== "disabled";
  const temperature = isThinking || !manners.temperature ? undefined : ask.temperature;
  return presentJson({
    max_tokens: maxTokens,
    thinking,
    output_config: outputOf(ask, manners.adaptive ? effort : undefined),
    temperature: temperature === undefined ? undefined : Math.min(1, temperature),
  });
}

function outputOf({ constraint }: Ask, effort: ReasoningEffort | undefined): JsonObject | undefined {
  const format =
    constraint?.type === "schema" ? { type: "json_schema", schema: constraint.schema } : undefined;
  return format || effort ? presentJson({ effort, format }) : undefined;
}

/**
 * Newer models bind each thought to everything before it. If that has changed since (old results were dropped, a newer
 * version of this program has other tools), the service would refuse the request, so it is told to drop such thoughts.
 * These models think adaptively by default.
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
 */
const unbound = { block_binding: { prefix_mismatch_behavior: "drop_block" } } as const;
const plain = { type: "adaptive" } as const;
export const bindingBeta = "thinking-binding-controls-2026-08-01";

export const bindsThoughts = (model: string): boolean => mannersOf(model).bindsThoughts;

const hasThoughts = ({ content }: Turn): boolean => content.some(isThought);
export const isThought = ({ type }: JsonObject): boolean =>
  type === "thinking" || type === "redacted_thinking";

/** Models that bind thoughts accept the binding option only with thinking allowed; without it thoughts are not sent. */
export const takesThoughts = (ask: Ask): boolean =>
  !bindsThoughts(ask.model) || (ask.reasoning !== "off" && !isForced(ask));

/**
 * Whether the answers since the last user message began without a thought, as another model's do: with a thinking
 * budget they would be refused ("Expected `thinking` or `redacted_thinking`, but found `tool_use`").
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
function isUnthought(turns: readonly Turn[]): boolean {
  if (turns.at(-1)?.content[0]?.["type"] !== "tool_result") return false;
  const request = turns.findLastIndex(
    ({ role, content }) => role === "user" && content[0]?.["type"] !== "tool_result",
  );
  const [first] = turns[request + 1]?.content ?? [];
  return first !== undefined && !isThought(first);
}

/** A forced tool choice and thinking exclude each other; the forced choice takes precedence. */
const isForced = (ask: Ask): boolean =>
  ask.tools.length > 0 && (ask.toolChoice === "required" || typeof ask.toolChoice === "object");

function thinkingOf(
  effort: keyof typeof thinkingSpace,
  maxTokens: number,
  manners: ThinkingTraits,
): JsonObject | undefined {
  if (manners.adaptive) return { type: "adaptive", display: "summarized" };
  const budget = Math.min(thinkingSpace[effort], Math.floor(maxTokens / 2));
  return budget < leastBudget ? undefined : { type: "enabled", budget_tokens: budget };
}

const off = (ask: Ask, manners: ThinkingTraits): JsonObject | undefined =>
  ask.reasoning === "off" && !manners.alwaysThinks ? { type: "disabled" } : undefined;

type ThinkingTraits = {
  adaptive: boolean;
  /** With a budget, an answer that continues after results must have begun with a thought. */
  wantsThoughts: boolean;
  temperature: boolean;
  alwaysThinks: boolean;
  bindsThoughts: boolean;
};

/**
 * What a model of this name accepts: since Claude 4.6 an effort ("adaptive") replaces the budget, since 4.7 budgets and
 * temperatures are refused, since 5.1 thoughts are bound to their context. Other vendors' models behind this format
 * accept the older form. https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking
 */
function mannersOf(model: string): ThinkingTraits {
  const alwaysThinks = /claude-(mythos|fable)/.test(model);
  const version = /claude-(?:[a-z]+-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/.exec(model);
  const number = Number(version?.[1] ?? 0) * 100 + Number(version?.[2] ?? 0);
  return {
    adaptive: alwaysThinks || number >= 406,
    wantsThoughts: !alwaysThinks && number > 0 && number < 406,
    temperature: !alwaysThinks && number < 407,
    alwaysThinks,
    bindsThoughts: number > 500,
  };
}

/** The effort that a client requests. */
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
