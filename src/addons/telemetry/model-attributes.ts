/** The model and its token usage as attributes of the conventions. */

import type { Attributes } from "@opentelemetry/api";
import type { Usage } from "../../protocol/model-events.ts";
import { attributes } from "./names.ts";
import type { Tracing } from "./tracing.ts";

/** Expects "provider/model". */
export function modelAttributes(name: string, { providerName }: Pick<Tracing, "providerName">): Attributes {
  const slash = name.indexOf("/");
  return {
    [attributes.provider]: providerName(slash === -1 ? name : name.slice(0, slash)),
    [attributes.requestModel]: name.slice(slash + 1),
  };
}

export function usageAttributes(usage: Usage | undefined): Attributes {
  if (!usage) return {};
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    [attributes.inputTokens]: inputTokens,
    [attributes.outputTokens]: outputTokens,
    ...(cacheReadTokens === undefined ? {} : { [attributes.cacheRead]: cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { [attributes.cacheWrite]: cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { [attributes.reasoningTokens]: reasoningTokens }),
  };
}
