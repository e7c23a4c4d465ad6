/** Every wire, by name. */

import { anthropic } from "./anthropic/anthropic.ts";
import { cohere } from "./cohere/cohere.ts";
import { gemini } from "./gemini/gemini.ts";
import { ollama } from "./ollama/ollama.ts";
import { openaiChat } from "./openai-chat/openai-chat.ts";
import { openaiResponses } from "./openai-responses/openai-responses.ts";
import type { Wire, WireName } from "./wire.ts";

/** The formats of providers, by name. */
export const wires: Record<WireName, Wire> = {
  anthropic,
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  ollama,
  gemini,
  cohere,
};

/** The wire of a name, also one that says more: "anthropic-messages", "ollama-chat". */
export function wireCalled(name: string): Wire | undefined {
  return Object.values(wires).find((wire) => name === wire.name || name.startsWith(`${wire.name}-`));
}
