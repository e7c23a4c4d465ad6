/** Token counts of an answer in OpenAI's two formats. */

import type { Usage } from "../../protocol/model-events.ts";
import { numberAt, objectAt } from "../fields.ts";

/** Both formats count alike under names of their own: `prompt_tokens` in one is `input_tokens` in the other. */
export function readUsage(
  usage: unknown,
  { input, output }: { input: string; output: string },
): Usage | undefined {
  const inputTokens = numberAt(usage, `${input}_tokens`);
  const outputTokens = numberAt(usage, `${output}_tokens`);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const told = objectAt(usage, `${input}_tokens_details`);
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    cacheReadTokens: numberAt(told, "cached_tokens") ?? numberAt(usage, `${input}_cache_hit_tokens`),
    cacheWriteTokens: numberAt(told, "cache_write_tokens"),
    reasoningTokens: numberAt(objectAt(usage, `${output}_tokens_details`), "reasoning_tokens"),
  };
}
