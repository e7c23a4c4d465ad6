/**
 * Decodes a request in the Chat Completions format for our language-model server. System and developer messages
 * anywhere are joined into one system prompt; pure sampling parameters are ignored.
 */

import { isObject } from "../../base/json.ts";
import type {
  Ask,
  AssistantPart,
  Message,
  ContentPart,
  ReasoningEffort,
  ToolDescription,
} from "../../protocol/messages.ts";
import { readFormat } from "../answer-format.ts";
import {
  badField,
  bodyOf,
  listOf,
  optionalBoolean,
  optionalLimit,
  optionalNumber,
  optionalText,
  requiredText,
  schemaOf,
  textList,
} from "../ask-fields.ts";
import { arrayAt, makeId, objectAt, stringAt } from "../fields.ts";
import { notShown } from "../not-shown.ts";
import { inputOfText, textTool } from "../text-tool.ts";
import type { DecodedRequest, RequestTools } from "../wire.ts";
import { contentOf, historyInput, readDataUrl, readToolChoice } from "./parts.ts";
import { reasoningPart } from "./reasoning.ts";

export function decodeAsk(request: unknown): DecodedRequest {
  const body = bodyOf(request);
  const list = arrayAt(body, "messages");
  if (!list) throw badField("messages", "a list");
  const history: ChatHistory = { system: [], messages: [], names: new Map(), lastId: "" };
  for (const [at, message] of list.entries()) readMessage(history, message, `messages[${at}]`);
  const { tools, forms } = readTools(body);
  const ask: Ask = {
    model: requiredText(stringAt(body, "model"), "model"),
    system: history.system.join("\n\n"),
    messages: history.messages,
    tools,
    ...readOptions(body),
  };
  const streamed = optionalBoolean(body["stream"], "stream") === true;
  const told = objectAt(body, "stream_options")?.["include_usage"] === true;
  return {
    ask,
    streamed,
    ...(streamed && !told ? { withoutUsage: true } : {}),
    ...(forms.size > 0 ? { forms } : {}),
  };
}

/**
 * The decoding state; `names` are the calls' names by id, which results do not repeat; `lastId` is the last call's id.
 */
type ChatHistory = { system: string[]; messages: Message[]; names: Map<string, string>; lastId: string };

function readMessage(history: ChatHistory, message: unknown, field: string): void {
  const role = requiredText(stringAt(message, "role"), `${field}.role`);
  switch (role) {
    case "system":
    case "developer":
      history.system.push(textOf(message, field));
      return;
    case "user":
      history.messages.push({ role: "user", content: readContent(message, field) });
      return;
    case "assistant":
      history.messages.push({ role: "assistant", content: readAnswer(history, message, field) });
      return;
    case "tool":
    case "function": {
      const callId = stringAt(message, "tool_call_id") ?? history.lastId;
      const name = history.names.get(callId) ?? stringAt(message, "name") ?? "";
      if (callId === "") throw badField(`${field}.tool_call_id`, "the id of a call before it");
      history.messages.push({
        role: "tool",
        callId,
        name,
        content: readContent(message, field),
        isError: false,
      });
      return;
    }
    default:
      throw badField(`${field}.role`, "system, developer, user, assistant or tool");
  }
}

function readAnswer(history: ChatHistory, message: unknown, field: string): AssistantPart[] {
  const reasoning = reasoningPart(message);
  const text = textOf(message, field) || (stringAt(message, "refusal") ?? "");
  const legacy = objectAt(message, "function_call");
  const listed = listOf(objectOf(message)["tool_calls"], `${field}.tool_calls`);
  const calls = [...listed, ...(legacy ? [{ function: legacy }] : [])];
  return [
    ...(reasoning ? [reasoning] : []),
    ...(text === "" ? [] : [{ type: "text", text } as const]),
    ...calls.map((call, at) => readCall(history, call, `${field}.tool_calls[${at}]`)),
  ];
}

function readCall(history: ChatHistory, call: unknown, field: string): AssistantPart {
  const id = stringAt(call, "id") ?? makeId("call");
  const text = objectAt(call, "custom");
  const fn = text ?? objectAt(call, "function");
  const name = requiredText(stringAt(fn, "name"), `${field}.${text ? "custom" : "function"}.name`);
  history.names.set(id, name);
  history.lastId = id;
  const input = text ? inputOfText(stringAt(text, "input")) : historyInput(stringAt(fn, "arguments"));
  return { type: "call", call: { id, name, input, source: "native" } };
}

function readContent(message: unknown, field: string): ContentPart[] {
  return contentOf(objectOf(message)["content"], `${field}.content`, readPart);
}

function readPart(part: unknown, field: string): ContentPart {
  const type = stringAt(part, "type");
  const text = type === "text" || type === "refusal" ? stringAt(part, type) : undefined;
  if (text !== undefined) return { type: "text", text };
  const file = objectAt(part, "file");
  if (type === "file") return notShown("document", stringAt(file, "filename"), stringAt(file, "file_id"));
  if (type === "input_audio") return notShown("recording", stringAt(objectAt(part, type), "format"));
  if (type !== "image_url") throw badField(field, "a text or an image_url");
  const url = stringAt(part, "image_url") ?? stringAt(objectAt(part, "image_url"), "url");
  return readDataUrl(url, `${field}.image_url`);
}

const textOf = (message: unknown, field: string): string =>
  readContent(message, field)
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("");

/** Other types of tools, which only the client's own service could run, are left out. */
function readTools(body: unknown): RequestTools {
  const offered: RequestTools = { tools: [], forms: new Map() };
  for (const [at, tool] of listOf(objectOf(body)["tools"], "tools").entries()) {
    const type = stringAt(tool, "type") ?? "function";
    if (type === "function")
      offered.tools.push(readTool(objectAt(tool, "function"), `tools[${at}].function`));
    if (type === "custom") readTextTool(objectAt(tool, "custom"), `tools[${at}].custom`, offered);
  }
  const legacy = listOf(objectOf(body)["functions"], "functions");
  offered.tools.push(...legacy.map((tool, at) => readTool(tool, `functions[${at}]`)));
  return offered;
}

function readTextTool(tool: unknown, field: string, { tools, forms }: RequestTools): void {
  const name = requiredText(stringAt(tool, "name"), `${field}.name`);
  const grammar = objectAt(objectAt(tool, "format"), "grammar");
  const description = stringAt(tool, "description");
  const told = { description, grammar: stringAt(grammar, "definition"), syntax: stringAt(grammar, "syntax") };
  tools.push({ name, ...textTool(told) });
  forms.set(name, { name, takes: "text" });
}

function readTool(tool: unknown, field: string): ToolDescription {
  return {
    name: requiredText(stringAt(tool, "name"), `${field}.name`),
    description: stringAt(tool, "description") ?? "",
    schema: schemaOf(objectOf(tool)["parameters"], `${field}.parameters`),
  };
}

function readOptions(body: Record<string, unknown>): Partial<Ask> {
  const toolChoice = readToolChoice(body["tool_choice"] ?? body["function_call"]);
  const maxTokens =
    optionalLimit(body["max_completion_tokens"], "max_completion_tokens") ??
    optionalLimit(body["max_tokens"], "max_tokens");
  const temperature = optionalNumber(body["temperature"], "temperature");
  const stop = readStop(body["stop"]);
  const reasoning = readEffort(optionalText(body["reasoning_effort"], "reasoning_effort"));
  const oneCall = optionalBoolean(body["parallel_tool_calls"], "parallel_tool_calls") === false;
  const format = readFormat(body["response_format"]);
  if ((optionalNumber(body["n"], "n") ?? 1) > 1)
    throw badField("n", "1: there is one answer to a request here");
  return {
    toolChoice,
    oneCall: oneCall || undefined,
    format,
    maxTokens,
    temperature,
    stop: stop.length === 0 ? undefined : stop,
    reasoning,
  };
}

const readStop = (stop: unknown): string[] =>
  textList(typeof stop === "string" ? [stop] : stop, "stop").filter((text) => text !== "");

const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/** Maps the efforts of both OpenAI formats to ours, where they have an equivalent. */
export function readEffort(effort: string | undefined): ReasoningEffort | undefined {
  return effort === undefined ? undefined : efforts.get(effort);
}

const efforts = new Map<string, ReasoningEffort>([
  ["none", "off"],
  ["minimal", "low"],
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["xhigh", "high"],
  ["max", "high"],
]);
