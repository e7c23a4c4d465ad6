/**
 * Reads a request in the Responses format, as our language-model server gets it. Nothing is stored here, so a
 * request that leans on an earlier one is refused; system and developer messages are gathered into one prompt.
 */
import { isJsonObject, type Json } from "../../base/json.ts";
import type { Ask, AssistantPart, Message, Part, ToolDescription } from "../../protocol/messages.ts";
import { readEffort } from "../openai-chat/request.ts";
import { badField, bodyOf, requiredText } from "../ask-fields.ts";
import { historyInput, joinTexts, readDataUrl, readToolChoice } from "../openai-chat/parts.ts";
import { responsesName } from "./ask.ts";
import { reasoningText } from "./items.ts";
import { arrayAt, asJson, makeId, numberAt, objectAt, stringAt } from "../fields.ts";

export function decodeAsk(request: unknown): { ask: Ask; streamed: boolean } {
  const body = bodyOf(request);
  for (const field of ["previous_response_id", "conversation", "prompt"]) {
    if (body[field] !== undefined && body[field] !== null)
      throw badField(field, "left out: nothing is stored here, send the whole conversation as input");
  }
  const history: History = { system: [], messages: [], names: new Map() };
  const instructions = stringAt(body, "instructions") ?? "";
  if (instructions !== "") history.system.push(instructions);
  for (const [at, item] of inputOf(body).entries()) readItem(history, item, `input[${at}]`);
  const ask: Ask = {
    model: requiredText(stringAt(body, "model"), "model"),
    system: history.system.join("\n\n"),
    messages: history.messages,
    tools: (arrayAt(body, "tools") ?? []).map((tool, at) => readTool(tool, `tools[${at}]`)),
    ...readOptions(body),
  };
  return { ask, streamed: body["stream"] === true };
}

/** What has been read; `names` are the calls' names by id, which results do not repeat. */
type History = { system: string[]; messages: Message[]; names: Map<string, string> };

function inputOf(body: unknown): unknown[] {
  const text = stringAt(body, "input");
  const list = text === undefined ? arrayAt(body, "input") : [{ role: "user", content: text }];
  if (!list) throw badField("input", "a text or a list");
  return list;
}

function readItem(history: History, item: unknown, field: string): void {
  switch (stringAt(item, "type") ?? "message") {
    case "message":
      readMessage(history, item, field);
      return;
    case "reasoning": {
      const state = { from: responsesName, value: asJson(item) };
      addToAnswer(history, [{ type: "reasoning", text: reasoningText(item), state }]);
      return;
    }
    case "function_call":
      addToAnswer(history, [readCall(history, item, field)]);
      return;
    case "function_call_output": {
      const callId = requiredText(stringAt(item, "call_id"), `${field}.call_id`);
      const content = readContent(item, "output", field);
      history.messages.push({
        role: "tool",
        callId,
        name: history.names.get(callId) ?? "",
        content,
        isError: false,
      });
      return;
    }
    default:
      throw badField(`${field}.type`, "message, reasoning, function_call or function_call_output");
  }
}

function readMessage(history: History, item: unknown, field: string): void {
  const content = readContent(item, "content", field);
  switch (stringAt(item, "role")) {
    case "user":
      history.messages.push({ role: "user", content });
      return;
    case "assistant":
      addToAnswer(
        history,
        content.filter((part) => part.type === "text"),
      );
      return;
    case "system":
    case "developer":
      history.system.push(joinTexts(content, ""));
      return;
    default:
      throw badField(`${field}.role`, "system, developer, user or assistant");
  }
}

/** The items of one answer follow each other; together they are one message. */
function addToAnswer(history: History, parts: AssistantPart[]): void {
  const last = history.messages.at(-1);
  if (last?.role === "assistant") last.content.push(...parts);
  else history.messages.push({ role: "assistant", content: parts });
}

function readCall(history: History, item: unknown, field: string): AssistantPart {
  const id = stringAt(item, "call_id") ?? makeId("call");
  const name = requiredText(stringAt(item, "name"), `${field}.name`);
  history.names.set(id, name);
  return {
    type: "call",
    call: { id, name, input: historyInput(stringAt(item, "arguments")), source: "native" },
  };
}

function readContent(item: unknown, key: string, field: string): Part[] {
  const text = stringAt(item, key);
  if (text !== undefined) return text === "" ? [] : [{ type: "text", text }];
  return (arrayAt(item, key) ?? []).map((part, at) => readPart(part, `${field}.${key}[${at}]`));
}

function readPart(part: unknown, field: string): Part {
  const text = stringAt(part, "text") ?? stringAt(part, "refusal");
  if (text !== undefined) return { type: "text", text };
  if (stringAt(part, "type") !== "input_image") throw badField(field, "a text or an input_image");
  return readDataUrl(stringAt(part, "image_url"), `${field}.image_url`);
}

function readTool(tool: unknown, field: string): ToolDescription {
  if (stringAt(tool, "type") !== "function") throw badField(`${field}.type`, "function");
  const schema: Json = asJson(objectAt(tool, "parameters") ?? { type: "object", properties: {} });
  return {
    name: requiredText(stringAt(tool, "name"), `${field}.name`),
    description: stringAt(tool, "description") ?? "",
    schema: isJsonObject(schema) ? schema : {},
  };
}

function readOptions(body: Record<string, unknown>): Partial<Ask> {
  const toolChoice = readToolChoice(body["tool_choice"]);
  const maxTokens = numberAt(body, "max_output_tokens");
  const temperature = numberAt(body, "temperature");
  const reasoning = readEffort(stringAt(objectAt(body, "reasoning"), "effort"));
  const cacheKey = stringAt(body, "prompt_cache_key");
  return {
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...(cacheKey === undefined ? {} : { cacheKey }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}
