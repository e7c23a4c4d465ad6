/** Decodes Anthropic's request body into a model request: the server half. */

import { isObject } from "../../base/json.ts";
import type {
  Ask,
  AssistantPart,
  Message,
  ContentPart,
  ToolChoice,
  ToolDescription,
} from "../../protocol/messages.ts";
import { readFormat } from "../answer-format.ts";
import {
  badField,
  blocksOf,
  type RequestBlock,
  textOfBlock,
  bodyOf,
  listOf,
  optionalBoolean,
  optionalNumber,
  optionalText,
  requiredObject,
  requiredText,
  schemaOf,
  textList,
} from "../ask-fields.ts";
import { copyOf, objectAt, readArguments, stringAt } from "../fields.ts";
import { notShown } from "../not-shown.ts";
import { LostThread } from "./errors.ts";
import { stateOf } from "./state.ts";
import { effortOf } from "./thinking.ts";

type ResultNames = Map<string, string>;

/** Decodes a request. Fields for sampling or billing only (`top_p`, `metadata`, …) are ignored. */
export function decodeAsk(received: unknown): { ask: Ask; streamed: boolean } {
  const body = bodyOf(received);
  if (stringAt(objectAt(body, "thread"), "type") === "continue") throw new LostThread();
  const names: ResultNames = new Map();
  const entries = listOf(body["messages"], "messages").map((entry, at) => {
    const field = `messages[${at}]`;
    const message = requiredObject(entry, field);
    return { role: message["role"], content: blocksOf(message["content"], `${field}.content`), field };
  });
  const inline = entries.filter(({ role }) => role === "system").flatMap(({ content }) => content);
  const system = [...blocksOf(body["system"] ?? [], "system"), ...inline].map(textOfBlock);
  const messages = entries.flatMap((entry) => messagesOf(entry, names));
  const stop = textList(body["stop_sequences"], "stop_sequences");
  const ask: Ask = {
    model: requiredText(body["model"], "model"),
    system: system.join("\n\n"),
    messages,
    tools: listOf(body["tools"], "tools").flatMap((tool, at) => toolOf(tool, `tools[${at}]`)),
    toolChoice: choiceOf(body),
    oneCall: isForOneCall(body["tool_choice"]) ? true : undefined,
    maxTokens: optionalNumber(body["max_tokens"], "max_tokens"),
    temperature: optionalNumber(body["temperature"], "temperature"),
    stop: stop.length > 0 ? stop : undefined,
    reasoning: effortOf(body),
    format: readFormat(objectAt(body["output_config"], "format") ?? body["output_format"]),
  };
  return { ask, streamed: optionalBoolean(body["stream"], "stream") ?? false };
}

type MessageEntry = { role: unknown; content: RequestBlock[]; field: string };

function messagesOf({ role, content, field }: MessageEntry, names: ResultNames): Message[] {
  if (role === "user") return userMessages(content, names);
  if (role === "system") return [];
  if (role !== "assistant") throw badField(`${field}.role`, '"user" or "assistant"');
  const parts = content.flatMap((block) => assistantPart(block, names));
  return parts.length > 0 ? [{ role, content: parts }] : [];
}

/** A user message holds results and the person's text; each result becomes a separate message. */
function userMessages(content: RequestBlock[], names: ResultNames): Message[] {
  const messages: Message[] = [];
  for (const { block, field } of content) {
    if (block["type"] === "tool_result") {
      messages.push(resultOf({ block, field }, names));
      continue;
    }
    const parts = partsOf({ block, field });
    const last = messages.at(-1);
    if (last?.role === "user") last.content.push(...parts);
    else messages.push({ role: "user", content: parts });
  }
  return messages;
}

function resultOf({ block, field }: RequestBlock, names: ResultNames): Message {
  const callId = requiredText(block["tool_use_id"], `${field}.tool_use_id`);
  return {
    role: "tool",
    callId,
    name: names.get(callId) ?? "",
    content: blocksOf(block["content"] ?? [], `${field}.content`).flatMap(resultParts),
    isError: optionalBoolean(block["is_error"], `${field}.is_error`) ?? false,
  };
}

/** A client-side tool search reports a found tool as a reference: the tool is available from then on. */
function resultParts({ block, field }: RequestBlock): ContentPart[] {
  if (block["type"] !== "tool_reference") return partsOf({ block, field });
  const name = requiredText(block["tool_name"], `${field}.tool_name`);
  return [{ type: "text", text: `The tool ${name} can be called now.` }];
}

function partsOf({ block, field }: RequestBlock): ContentPart[] {
  if (block["type"] === "document") return documentParts(block, field);
  if (block["type"] !== "search_result") return [partOf({ block, field })];
  const about = [block["title"], block["source"]].filter((text) => typeof text === "string" && text !== "");
  const told = blocksOf(block["content"] ?? [], `${field}.content`).map(textOfBlock);
  return [{ type: "text", text: [...about, ...told].join("\n") }];
}

/** Documents of text are passed to any model; for others the model is told that they cannot be shown. */
function documentParts(block: Record<string, unknown>, field: string): ContentPart[] {
  const source = requiredObject(block["source"], `${field}.source`);
  const title = optionalText(block["title"], `${field}.title`) ?? "";
  const before = title === "" ? "" : `${title}\n`;
  if (source["type"] === "text")
    return [{ type: "text", text: before + requiredText(source["data"], `${field}.source.data`) }];
  if (source["type"] === "content") {
    const parts = blocksOf(source["content"] ?? [], `${field}.source.content`).map(partOf);
    return title === "" ? parts : [{ type: "text", text: title }, ...parts];
  }
  const kind = optionalText(source["media_type"], `${field}.source.media_type`) ?? String(source["type"]);
  return [{ type: "text", text: `${before}[A document (${kind}) that cannot be shown to this model.]` }];
}

function partOf({ block, field }: RequestBlock): ContentPart {
  if (block["type"] === "text") return { type: "text", text: textOfBlock({ block, field }) };
  if (block["type"] !== "image") throw badField(field, "a text, an image or a tool_result block");
  const source = requiredObject(block["source"], `${field}.source`);
  if (source["type"] === "url" || source["type"] === "file")
    return notShown("image", stringAt(source, "url"), stringAt(source, "file_id"));
  if (source["type"] !== "base64") throw badField(`${field}.source`, "of type base64");
  return {
    type: "image",
    mediaType: requiredText(source["media_type"], `${field}.source.media_type`),
    data: requiredText(source["data"], `${field}.source.data`),
  };
}

function assistantPart({ block, field }: RequestBlock, names: ResultNames): AssistantPart[] {
  switch (block["type"]) {
    case "text":
      return [{ type: "text", text: textOfBlock({ block, field }) }];
    case "thinking":
      return [thinkingPart(block, field)];
    case "redacted_thinking":
      return [{ type: "reasoning", text: "", state: stateOf(withoutMark(block)) }];
    case "tool_use": {
      const id = requiredText(block["id"], `${field}.id`);
      const name = requiredText(block["name"], `${field}.name`);
      names.set(id, name);
      return [{ type: "call", call: { id, name, source: "native", ...readArguments(block["input"]) } }];
    }
    default:
      if (isOfService(block["type"])) return [];
      throw badField(field, "a text, thinking or tool_use block");
  }
}

/** Blocks of the service's own tools mean nothing to another model: their outcome is in the text. */
const isOfService = (type: unknown): boolean =>
  typeof type === "string" && /_tool_use$|_tool_result$/.test(type);

function thinkingPart(block: Record<string, unknown>, field: string): AssistantPart {
  const text = optionalText(block["thinking"], `${field}.thinking`) ?? "";
  const signature = optionalText(block["signature"], `${field}.signature`) ?? "";
  return { type: "reasoning", text, ...(signature === "" ? {} : { state: stateOf(withoutMark(block)) }) };
}

function withoutMark(block: Record<string, unknown>): ReturnType<typeof copyOf> {
  const { cache_control: _, ...rest } = copyOf(block);
  return rest;
}

/** The service's own tools (such as web search) have a type and no schema; they cannot be run here and are left out. */
function toolOf(value: unknown, field: string): ToolDescription[] {
  const tool = requiredObject(value, field);
  if (tool["input_schema"] === undefined) {
    const type = optionalText(tool["type"], `${field}.type`) ?? "custom";
    if (type === "custom") throw badField(field, "a tool with an input_schema");
    return [];
  }
  return [
    {
      name: requiredText(tool["name"], `${field}.name`),
      description: optionalText(tool["description"], `${field}.description`) ?? "",
      schema: schemaOf(tool["input_schema"], `${field}.input_schema`),
    },
  ];
}

const isOfServiceTool = (value: unknown, name: string): boolean =>
  isObject(value) && value["name"] === name && value["input_schema"] === undefined;

/** A choice of a tool that was left out is dropped. */
function choiceOf(body: Record<string, unknown>): ToolChoice | undefined {
  const choice = toolChoiceOf(body["tool_choice"]);
  if (typeof choice !== "object") return choice;
  const tools = listOf(body["tools"], "tools");
  return tools.some((tool) => isOfServiceTool(tool, choice.name)) ? undefined : choice;
}

const isForOneCall = (choice: unknown): boolean =>
  isObject(choice) && choice["disable_parallel_tool_use"] === true;

function toolChoiceOf(value: unknown): ToolChoice | undefined {
  if (value === undefined || value === null) return undefined;
  const choice = requiredObject(value, "tool_choice");
  if (choice["type"] === "tool") return { name: requiredText(choice["name"], "tool_choice.name") };
  if (choice["type"] === "any") return "required";
  if (choice["type"] === "auto" || choice["type"] === "none") return choice["type"];
  throw badField("tool_choice.type", '"auto", "any", "tool" or "none"');
}
