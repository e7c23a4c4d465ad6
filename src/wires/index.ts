/** Every wire, by name. */

import { anthropic } from "./anthropic/anthropic.ts";
import { cohere } from "./cohere/cohere.ts";
import { gemini } from "./gemini/gemini.ts";
import { ollama } from "./ollama/ollama.ts";
import { openaiChat } from "./openai-chat/openai-chat.ts";
import { openaiResponses } from "./openai-responses/openai-responses.ts";
import type { Wire, WireName } from "./wire.ts";

/** The wires by name. */
export const wires: Record<WireName, Wire> = {
  anthropic,
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  ollama,
  gemini,
  cohere,
};

/** Finds a wire by name; longer names such as "anthropic-messages" and "ollama-chat" also match. */
export function wireCalled(name: string): Wire | undefined {
  return Object.values(wires).find((wire) => name === wire.name || name.startsWith(`${wire.name}-`));
}
