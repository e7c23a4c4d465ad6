/**
 * Encodes a request in the Responses format. The provider stores nothing: each request has the whole conversation, with
 * reasoning items encrypted and placed before the items that followed them. Not carried: `stop`, `contextTokens`,
 * whether a result is an error (its text must say so), and reasoning of other wires.
 */

import { isObject, type Json, type JsonObject } from "../../base/json.ts";
import { formsOf } from "../../base/kept-json.ts";
import type {
  Ask,
  AssistantPart,
  Message,
  ContentPart,
  ToolChoice,
  ToolDescription,
} from "../../protocol/messages.ts";
import { type CallIdMapping, idsIn, safeIds } from "../call-ids.ts";
import { writtenArguments } from "../fields.ts";
import { dataUrl } from "../openai-chat/parts.ts";
import { strictSchema } from "../strict-schema.ts";

export const responsesName = "openai-responses";

export function encodeAsk(ask: Ask, { streamed }: { streamed: boolean }): JsonObject {
  const ids = safeIds();
  const body: JsonObject = {
    model: ask.model,
    input: ask.messages.flatMap((message) => itemsOf(message, ids)),
    stream: streamed,
    store: false,
    include: ["reasoning.encrypted_content"],
  };
  if (ask.system !== "") body["instructions"] = ask.system;
  if (ask.tools.length > 0) {
    body["tools"] = ask.tools.map((tool) => toolOf(tool, strictSchema(tool, ask)));
    if (ask.toolChoice !== undefined) body["tool_choice"] = choiceOf(ask.toolChoice);
  }
  // Requests with the same key go to the same machine, where their common prefix is cached.
  // https://developers.openai.com/api/docs/guides/prompt-caching
  if (ask.cacheKey !== undefined) body["prompt_cache_key"] = ask.cacheKey.slice(0, longestKey);
  if (ask.maxTokens !== undefined) body["max_output_tokens"] = ask.maxTokens;
  if (ask.temperature !== undefined) body["temperature"] = ask.temperature;
  if (ask.reasoning === "off") body["reasoning"] = { effort: "none" };
  else if (ask.reasoning !== undefined) body["reasoning"] = { effort: ask.reasoning, summary: "auto" };
  if (ask.constraint?.type === "schema")
    body["text"] = {
      format: { type: "json_schema", name: "answer", schema: ask.constraint.schema, strict: true },
    };
  return body;
}

const longestKey = 64;

const formed = formsOf();

function itemsOf(message: Message, ids: CallIdMapping): JsonObject[] {
  switch (message.role) {
    case "user":
      return formed(message.content, "", () => [
        { type: "message", role: "user", content: message.content.map(partOf) },
      ]);
    case "tool": {
      const call_id = ids(message.callId);
      return formed(message, call_id, () => [
        { type: "function_call_output", call_id, output: outputOf(message.content) },
      ]);
    }
    case "assistant":
      return formed(message.content, idsIn(message.content, ids), () => answerItems(message.content, ids));
    default:
      return message satisfies never;
  }
}

/** The provider refuses a reasoning item without a following item (the answer broke off), so it is left out. */
function answerItems(parts: readonly AssistantPart[], ids: CallIdMapping): JsonObject[] {
  const last = parts.findLastIndex(({ type }) => type !== "reasoning");
  return parts.slice(0, last + 1).flatMap((part) => answerItem(part, ids));
}

function answerItem(part: AssistantPart, ids: CallIdMapping): JsonObject[] {
  switch (part.type) {
    case "text":
      return [{ type: "message", role: "assistant", content: [{ type: "output_text", text: part.text }] }];
    case "call": {
      const { id, name } = part.call;
      return [{ type: "function_call", call_id: ids(id), name, arguments: writtenArguments(part.call) }];
    }
    case "reasoning": {
      const item = part.state?.from === responsesName ? part.state.value : null;
      return isItem(item) ? [item] : [];
    }
    default:
      return part satisfies never;
  }
}

const isItem = (value: Json): value is JsonObject => isObject(value);

/** A single text is sent as a string: some compatible servers accept nothing else. */
function outputOf(parts: readonly ContentPart[]): string | JsonObject[] {
  const [first] = parts;
  if (!first) return "";
  return parts.length === 1 && first.type === "text" ? first.text : parts.map(partOf);
}

const partOf = (part: ContentPart): JsonObject =>
  part.type === "text"
    ? { type: "input_text", text: part.text }
    : { type: "input_image", image_url: dataUrl(part), detail: "auto" };

/** Strict schemas, the default of this format, forbid optional parameters: without one they are switched off. */
const toolOf = (
  { name, description, schema }: ToolDescription,
  strict: JsonObject | undefined,
): JsonObject => ({
  type: "function",
  name,
  description,
  parameters: strict ?? schema,
  strict: strict !== undefined,
});

const choiceOf = (choice: ToolChoice): string | JsonObject =>
  typeof choice === "string" ? choice : { type: "function", name: choice.name };
