/** Queries llama.cpp's server about its model: chat template, context window, whether it takes tools. */

import { isObject } from "../base/json.ts";
import { ModelError } from "../protocol/model-events.ts";
import type { ModelCapabilities } from "./capabilities.ts";
import { fetchJson, isLoading, type Server } from "./server.ts";

/**
 * Queries `/props`, which is outside the version prefix. If the server refuses, it is a different one, or busy: then
 * nothing is known.
 */
export async function describeLlamaServer(
  server: Server,
  _model: string,
  signal?: AbortSignal,
): Promise<ModelCapabilities> {
  const root: Server = { ...server, baseUrl: server.baseUrl.replace(/\/v1\/?$/, "") };
  let props: unknown;
  try {
    props = await fetchJson(root, "/props", signal ? { signal } : {});
  } catch (error) {
    const isOther = error instanceof ModelError && error.kind !== "network" && error.kind !== "timeout";
    if (isOther && !isLoading(error)) return { tools: true };
    throw error;
  }
  if (!isObject(props)) return { tools: true };
  const settings = isObject(props["default_generation_settings"]) ? props["default_generation_settings"] : {};
  const can = isObject(props["chat_template_caps"]) ? props["chat_template_caps"] : {};
  const modalities = isObject(props["modalities"]) ? props["modalities"] : {};
  const template = props["chat_template_tool_use"] ?? props["chat_template"];
  return {
    tools: can["supports_tools"] !== false && can["supports_tool_calls"] !== false,
    images: modalities["vision"] === true,
    contextTokens: typeof settings["n_ctx"] === "number" ? settings["n_ctx"] : undefined,
    template: typeof template === "string" ? template : undefined,
  };
}
