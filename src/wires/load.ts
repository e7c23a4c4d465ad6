/** Loads a wire on first use: each is large, and a session needs only one. */

import type { Wire, WireName } from "./wire.ts";

const loaders: Readonly<Record<WireName, () => Promise<Wire>>> = {
  anthropic: async () => (await import("./anthropic/anthropic.ts")).anthropic,
  "openai-chat": async () => (await import("./openai-chat/openai-chat.ts")).openaiChat,
  "openai-responses": async () => (await import("./openai-responses/openai-responses.ts")).openaiResponses,
  ollama: async () => (await import("./ollama/ollama.ts")).ollama,
  gemini: async () => (await import("./gemini/gemini.ts")).gemini,
  cohere: async () => (await import("./cohere/cohere.ts")).cohere,
};

/** Returns the same object on every call. */
export const loadWire = (name: WireName): Promise<Wire> => loaders[name]();
