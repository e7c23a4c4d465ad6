/** Every wire, by name. */
import { anthropic } from "./anthropic.ts";
import { gemini } from "./gemini.ts";
import { ollama } from "./ollama.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { Wire, WireName } from "./wire.ts";

export const wires: Record<WireName, Wire> = {
  anthropic,
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  ollama,
  gemini,
};
