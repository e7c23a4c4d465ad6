/** Encodes a model request as Ollama's request body. */

import type { Json, JsonObject } from "../../base/json.ts";
import { formsOf } from "../../base/kept-json.ts";
import {
  type Ask,
  type AssistantPart,
  type ToolCall,
  type Message,
  type ContentPart,
  type ToolDescription,
  joinTexts,
} from "../../protocol/messages.ts";
import { functionTool } from "../function-tool.ts";
import { presentJson } from "../present.ts";

/**
 * Encodes a request. Not carried: whether a result is an error (its text says so), the order of an answer's parts,
 * reasoning state, the level of reasoning (on or off only), and "required" as tool choice. "none" offers no tools, and
 * a named tool is the only one offered.
 */
export function encodeAsk(ask: Ask, { streamed }: { streamed: boolean }): JsonObject {
  const options = presentJson({
    num_ctx: ask.contextTokens,
    num_predict: ask.maxTokens,
    temperature: ask.temperature,
    stop: ask.stop,
  });
  const tools = offeredTools(ask).map(functionTool);
  const system = ask.system === "" ? [] : [{ role: "system", content: ask.system }];
  return presentJson({
    model: ask.model,
    messages: [...system, ...ask.messages.flatMap((one) => formed(one, "", () => [messageJson(one)]))],
    tools: tools.length > 0 ? tools : undefined,
    format: ask.constraint?.type === "schema" ? ask.constraint.schema : undefined,
    think: ask.reasoning === undefined ? undefined : ask.reasoning !== "off",
    options: Object.keys(options).length > 0 ? options : undefined,
    stream: streamed,
  });
}

function offeredTools({ tools, toolChoice }: Ask): ToolDescription[] {
  if (toolChoice === "none") return [];
  return typeof toolChoice === "object" ? tools.filter((tool) => tool.name === toolChoice.name) : tools;
}

const formed = formsOf();

function messageJson(message: Message): JsonObject {
  if (message.role === "assistant") return assistantJson(message.content);
  const said = { content: joinTexts(message.content, paragraph), images: imagesOf(message.content) };
  if (message.role === "user") return presentJson({ role: "user", ...said });
  // A14: results refer to calls by tool name; servers that gave ids also match by id.
  return presentJson({ role: "tool", ...said, tool_name: message.name, tool_call_id: message.callId });
}

/** A15: the history includes thoughts, text and calls. */
function assistantJson(parts: readonly AssistantPart[]): JsonObject {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const thoughts = parts.flatMap((part) =>
    part.type === "reasoning" && part.text !== "" ? [part.text] : [],
  );
  const calls = parts.flatMap((part) => (part.type === "call" ? [part.call] : []));
  return presentJson({
    role: "assistant",
    content: texts.join(paragraph),
    thinking: thoughts.length > 0 ? thoughts.join(paragraph) : undefined,
    tool_calls: calls.length > 0 ? calls.map(callJson) : undefined,
  });
}

const callJson = ({ id, name, input }: ToolCall, index: number): JsonObject => ({
  id,
  type: "function",
  function: { index, name, arguments: input },
});

/** Separates joined texts, because a message has only one. */
const paragraph = "\n\n";

function imagesOf(parts: readonly ContentPart[]): Json[] | undefined {
  const images = parts.flatMap((part) => (part.type === "image" ? [part.data] : []));
  return images.length > 0 ? images : undefined;
}
