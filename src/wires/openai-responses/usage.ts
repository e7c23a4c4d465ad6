/** Token counts of an answer in the Responses format. */

import type { JsonObject } from "../../base/json.ts";
import type { Usage } from "../../protocol/model-events.ts";
import { numberAt, objectAt } from "../fields.ts";

export function readUsage(usage: unknown): Usage | undefined {
  const inputTokens = numberAt(usage, "input_tokens");
  const outputTokens = numberAt(usage, "output_tokens");
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const input = objectAt(usage, "input_tokens_details");
  const read = numberAt(input, "cached_tokens");
  const written = numberAt(input, "cache_write_tokens");
  const reasoning = numberAt(objectAt(usage, "output_tokens_details"), "reasoning_tokens");
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    cacheReadTokens: read,
    cacheWriteTokens: written,
    reasoningTokens: reasoning,
  };
}

/** Includes every number that the format requires; unknown ones are 0. */
export function usageBody(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cacheReadTokens ?? 0, cache_write_tokens: cacheWriteTokens ?? 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
    total_tokens: inputTokens + outputTokens,
  };
}
