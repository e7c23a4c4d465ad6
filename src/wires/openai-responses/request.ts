/**
 * Decodes a request in the Responses format for our language-model server. Nothing is stored here, so a request that
 * builds on an earlier one is refused; system and developer messages are joined into one prompt.
 */

import { isObject, type JsonObject } from "../../base/json.ts";
import {
  type Ask,
  type AssistantPart,
  type Message,
  type ContentPart,
  joinTexts,
} from "../../protocol/messages.ts";
import { readFormat } from "../answer-format.ts";
import {
  badField,
  bodyOf,
  optionalBoolean,
  optionalLimit,
  optionalNumber,
  optionalText,
  requiredObject,
  requiredText,
} from "../ask-fields.ts";
import { arrayAt, asJson, copyOf, makeId, objectAt, stringAt } from "../fields.ts";
import { notShown } from "../not-shown.ts";
import { contentOf, historyInput, readDataUrl, readToolChoice } from "../openai-chat/parts.ts";
import { readEffort } from "../openai-chat/request.ts";
import { inputOfText } from "../text-tool.ts";
import type { DecodedRequest } from "../wire.ts";
import { responsesName } from "./ask.ts";
import { reasoningText } from "./items.ts";
import { recentItem } from "./recent-items.ts";
import { isOfClient, nameIn, readTools } from "./tools.ts";

export function decodeAsk(request: unknown): DecodedRequest {
  const body = bodyOf(request);
  for (const field of ["previous_response_id", "conversation", "prompt"]) {
    if (body[field] !== undefined && body[field] !== null)
      throw badField(field, "left out: nothing is stored here, send the whole conversation as input");
  }
  const history: ResponsesHistory = { system: [], messages: [], names: new Map(), found: [] };
  const instructions = optionalText(body["instructions"], "instructions") ?? "";
  if (instructions !== "") history.system.push(instructions);
  for (const [at, item] of inputOf(body).entries()) readItem(history, item, `input[${at}]`);
  const { tools, forms } = readTools(body, history.found);
  const ask: Ask = {
    model: requiredText(stringAt(body, "model"), "model"),
    system: history.system.join("\n\n"),
    messages: history.messages,
    tools,
    ...readOptions(body),
  };
  const streamed = optionalBoolean(body["stream"], "stream") === true;
  return { ask, streamed, ...(forms.size > 0 ? { forms } : {}) };
}

/**
 * The decoding state; `names` are the calls' names by id, which results do not repeat; `found` are the tools that the
 * client's own search has found.
 */
type ResponsesHistory = {
  system: string[];
  messages: Message[];
  names: Map<string, string>;
  found: unknown[];
};

function inputOf(body: unknown): unknown[] {
  const text = stringAt(body, "input");
  const list = text === undefined ? arrayAt(body, "input") : [{ role: "user", content: text }];
  if (!list) throw badField("input", "a text or a list");
  return list;
}

function readItem(history: ResponsesHistory, item: unknown, field: string): void {
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
    case "custom_tool_call":
      addToAnswer(history, [readTextCall(history, item, field)]);
      return;
    case "function_call_output":
    case "custom_tool_call_output":
      addResult(history, item, { field, content: readContent(item, "output", field) });
      return;
    case "item_reference": {
      const known = recentItem(requiredText(stringAt(item, "id"), `${field}.id`));
      if (known) readItem(history, known, field);
      return;
    }
    default:
      if (isOfClient(item) && readSearch(history, item, field)) return;
      if (isOfService(item)) return;
      throw badField(`${field}.type`, "message, reasoning, function_call or function_call_output");
  }
}

function addResult(
  { messages, names }: ResponsesHistory,
  item: unknown,
  { field, content }: { field: string; content: ContentPart[] },
): void {
  const callId = requiredText(stringAt(item, "call_id"), `${field}.call_id`);
  messages.push({ role: "tool", callId, name: names.get(callId) ?? "", content, isError: false });
}

/** The client's own search for tools: what it finds is offered from then on. */
function readSearch(history: ResponsesHistory, item: unknown, field: string): boolean {
  const type = stringAt(item, "type");
  if (type === "tool_search_call") {
    const input = objectAt(item, "arguments");
    const said = input ? copyOf(input) : historyInput(stringAt(item, "arguments"));
    addToAnswer(history, [callPart(history, item, { field, input: said, own: "tool_search" })]);
  } else if (type === "tool_search_output") {
    const tools = arrayAt(item, "tools") ?? [];
    history.found.push(...tools);
    const names = readTools({ tools }).tools.map(({ name }) => name);
    const text =
      names.length === 0 ? "No tool was found." : `Tools that can be called now: ${names.join(", ")}`;
    addResult(history, item, { field, content: [{ type: "text", text }] });
  } else return false;
  return true;
}

/** Items about the service's own work (searches, code, pictures) or internal state mean nothing to another model. */
const isOfService = (item: unknown): boolean =>
  /_call$|_call_output$|^mcp_|^tool_search_|^compaction/.test(stringAt(item, "type") ?? "");

function readMessage(history: ResponsesHistory, item: unknown, field: string): void {
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

/** Consecutive items of one answer are joined into one message. */
function addToAnswer(history: ResponsesHistory, parts: AssistantPart[]): void {
  const last = history.messages.at(-1);
  if (last?.role === "assistant") last.content.push(...parts);
  else history.messages.push({ role: "assistant", content: parts });
}

function readCall(history: ResponsesHistory, item: unknown, field: string): AssistantPart {
  return callPart(history, item, { field, input: historyInput(stringAt(item, "arguments")) });
}

function readTextCall(history: ResponsesHistory, item: unknown, field: string): AssistantPart {
  return callPart(history, item, { field, input: inputOfText(stringAt(item, "input")) });
}

type CallFields = { field: string; input: JsonObject; own?: string };

function callPart(
  history: ResponsesHistory,
  item: unknown,
  { field, input, own }: CallFields,
): AssistantPart {
  const id = stringAt(item, "call_id") ?? makeId("call");
  const name = nameIn(
    stringAt(item, "namespace"),
    own ?? requiredText(stringAt(item, "name"), `${field}.name`),
  );
  history.names.set(id, name);
  return { type: "call", call: { id, name, input, source: "native" } };
}

function readContent(item: unknown, key: string, field: string): ContentPart[] {
  return contentOf(isObject(item) ? item[key] : undefined, `${field}.${key}`, readPart);
}

function readPart(part: unknown, field: string): ContentPart {
  const text = stringAt(part, "text") ?? stringAt(part, "refusal");
  if (text !== undefined) return { type: "text", text };
  const type = stringAt(part, "type");
  const [file, url] = [stringAt(part, "file_id"), stringAt(part, "file_url")];
  if (type === "input_file") return notShown("document", stringAt(part, "filename"), url, file);
  if (type === "input_audio") return notShown("recording", stringAt(objectAt(part, type), "format"));
  if (type !== "input_image") throw badField(field, "a text or an input_image");
  if (file !== undefined) return notShown("image", file);
  return readDataUrl(stringAt(part, "image_url"), `${field}.image_url`);
}

function readOptions(body: Record<string, unknown>): Partial<Ask> {
  const toolChoice = readToolChoice(body["tool_choice"]);
  const maxTokens = optionalLimit(body["max_output_tokens"], "max_output_tokens");
  const temperature = optionalNumber(body["temperature"], "temperature");
  const reasoning = readEffort(optionalText(objectIn(body, "reasoning")["effort"], "reasoning.effort"));
  const oneCall = optionalBoolean(body["parallel_tool_calls"], "parallel_tool_calls") === false;
  const cacheKey = stringAt(body, "prompt_cache_key");
  const format = readFormat(objectIn(body, "text")["format"]);
  return {
    toolChoice,
    oneCall: oneCall || undefined,
    format,
    cacheKey,
    maxTokens,
    temperature,
    reasoning,
  };
}

const objectIn = (body: Record<string, unknown>, key: string): Record<string, unknown> =>
  requiredObject(body[key] ?? {}, key);
