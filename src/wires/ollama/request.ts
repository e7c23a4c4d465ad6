/** Decodes Ollama's request body into a model request: the server half. */

import { isObject } from "../../base/json.ts";
import type {
  AnswerFormat,
  Ask,
  AssistantPart,
  Message,
  ContentPart,
  ReasoningEffort,
} from "../../protocol/messages.ts";
import {
  badField,
  bodyOf,
  listOf,
  optionalBoolean,
  optionalNumber,
  optionalText,
  requiredObject,
  requiredText,
  textList,
} from "../ask-fields.ts";
import { copyOf, makeId, readArguments } from "../fields.ts";
import { readFunctionTool } from "../function-tool.ts";

/** A call without a result so far. */
type UnansweredCall = { id: string; name: string };

/** Decodes a request. Streaming is the default. Unknown options are ignored. */
export function decodeAsk(received: unknown): { ask: Ask; streamed: boolean } {
  const body = bodyOf(received);
  const options = body["options"] === undefined ? {} : requiredObject(body["options"], "options");
  const stop = textList(options["stop"], "options.stop");
  const { system, messages } = conversation(listOf(body["messages"], "messages"));
  const ask: Ask = {
    model: requiredText(body["model"], "model"),
    system: system.join("\n\n"),
    messages,
    tools: listOf(body["tools"], "tools").map((tool, at) => readFunctionTool(tool, `tools[${at}]`)),
    maxTokens: tokenLimit(optionalNumber(options["num_predict"], "options.num_predict")),
    temperature: optionalNumber(options["temperature"], "options.temperature"),
    stop: stop.length > 0 ? stop : undefined,
    reasoning: effortOf(body["think"]),
    format: formatOf(body["format"]),
    contextTokens: tokenLimit(optionalNumber(options["num_ctx"], "options.num_ctx")),
  };
  return { ask, streamed: optionalBoolean(body["stream"], "stream") ?? true };
}

/** Zero and negative numbers mean "no limit". */
const tokenLimit = (tokens: number | undefined): number | undefined =>
  tokens !== undefined && tokens > 0 ? tokens : undefined;

/** "json", or a schema. */
function formatOf(format: unknown): AnswerFormat | undefined {
  if (isObject(format)) return { schema: copyOf(format) };
  return format === "json" ? {} : undefined;
}

function effortOf(think: unknown): ReasoningEffort | undefined {
  if (think === undefined || think === null) return undefined;
  if (think === false) return "off";
  if (think === true) return "medium";
  if (typeof think !== "string") throw badField("think", "true, false or a level");
  return think === "low" || think === "medium" ? think : "high";
}

function conversation(entries: unknown[]): { system: string[]; messages: Message[] } {
  const system: string[] = [];
  const messages: Message[] = [];
  const open: UnansweredCall[] = [];
  for (const [at, entry] of entries.entries()) {
    const field = `messages[${at}]`;
    const said = requiredObject(entry, field);
    const content = optionalText(said["content"], `${field}.content`) ?? "";
    switch (said["role"]) {
      case "system":
        system.push(content);
        break;
      case "user":
        messages.push({ role: "user", content: partsOf(content, said["images"], field) });
        break;
      case "assistant":
        messages.push({ role: "assistant", content: assistantParts({ said, content, field }, open) });
        break;
      case "tool":
        messages.push(resultOf({ said, content, field }, open));
        break;
      default:
        throw badField(`${field}.role`, '"system", "user", "assistant" or "tool"');
    }
  }
  return { system, messages };
}

function partsOf(content: string, images: unknown, field: string): ContentPart[] {
  const pictures = textList(images, `${field}.images`).map((data): ContentPart => ({
    type: "image",
    mediaType: mediaTypeOf(data),
    data,
  }));
  return content === "" ? pictures : [{ type: "text", text: content }, ...pictures];
}

/** Pictures come without a media type; their first bytes reveal it. */
function mediaTypeOf(base64: string): string {
  if (base64.startsWith("/9j/")) return "image/jpeg";
  if (base64.startsWith("R0lGOD")) return "image/gif";
  return base64.startsWith("UklGR") ? "image/webp" : "image/png";
}

type OllamaMessage = { said: Record<string, unknown>; content: string; field: string };

function assistantParts({ said, content, field }: OllamaMessage, open: UnansweredCall[]): AssistantPart[] {
  const thinking = optionalText(said["thinking"], `${field}.thinking`) ?? "";
  const calls = listOf(said["tool_calls"], `${field}.tool_calls`);
  return [
    ...(thinking === "" ? [] : [{ type: "reasoning", text: thinking } as const]),
    ...(content === "" ? [] : [{ type: "text", text: content } as const]),
    ...calls.map((call, at) => callPart(call, `${field}.tool_calls[${at}]`, open)),
  ];
}

function callPart(value: unknown, field: string, open: UnansweredCall[]): AssistantPart {
  const call = requiredObject(value, field);
  const asked = requiredObject(call["function"], `${field}.function`);
  const name = requiredText(asked["name"], `${field}.function.name`);
  const id = optionalText(call["id"], `${field}.id`) || makeId("call");
  open.push({ id, name });
  return { type: "call", call: { id, name, source: "native", ...readArguments(asked["arguments"]) } };
}

function resultOf({ said, content, field }: OllamaMessage, open: UnansweredCall[]): Message {
  const id = optionalText(said["tool_call_id"], `${field}.tool_call_id`);
  const name = optionalText(said["tool_name"], `${field}.tool_name`);
  const call = takeCall(open, id, name);
  return {
    role: "tool",
    callId: call?.id ?? id ?? makeId("call"),
    name: call?.name ?? name ?? "",
    content: partsOf(content, said["images"], field),
    isError: false,
  };
}

/** Matches a result to the call with its id, else to the first open call of its tool, else to the first open one. */
function takeCall(
  open: UnansweredCall[],
  id: string | undefined,
  name: string | undefined,
): UnansweredCall | undefined {
  const byId = id === undefined ? -1 : open.findIndex((call) => call.id === id);
  const byName = name === undefined ? 0 : open.findIndex((call) => call.name === name);
  const at = byId >= 0 ? byId : byName;
  return at < 0 ? undefined : open.splice(at, 1)[0];
}
