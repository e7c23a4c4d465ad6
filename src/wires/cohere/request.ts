/** Decodes Cohere's request body into a model request: the server half. */

import type { Ask, AssistantPart, Message, ContentPart, ToolChoice } from "../../protocol/messages.ts";
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
  textList,
} from "../ask-fields.ts";
import { readArguments } from "../fields.ts";
import { readFunctionTool } from "../function-tool.ts";
import { readDataUrl } from "../openai-chat/parts.ts";
import { effortOf, thoughtState } from "./thinking.ts";

/** The names of calls by id: results come without them. */
type CallNames = Map<string, string>;
type CohereEntry = { said: Record<string, unknown>; field: string };

/** Decodes a request. Fields for sampling, citations or safety only (`p`, `k`, `seed`, …) are ignored. */
export function decodeAsk(received: unknown): { ask: Ask; streamed: boolean } {
  const body = bodyOf(received);
  const stop = textList(body["stop_sequences"], "stop_sequences");
  const { system, messages } = conversation(listOf(body["messages"], "messages"));
  const ask: Ask = {
    model: requiredText(body["model"], "model"),
    system: system.join("\n\n"),
    messages,
    tools: listOf(body["tools"], "tools").map((tool, at) => readFunctionTool(tool, `tools[${at}]`)),
    toolChoice: toolChoiceOf(body["tool_choice"]),
    maxTokens: optionalNumber(body["max_tokens"], "max_tokens"),
    temperature: optionalNumber(body["temperature"], "temperature"),
    stop: stop.length > 0 ? stop : undefined,
    reasoning: effortOf(body["thinking"]),
    format: readFormat(body["response_format"]),
  };
  return { ask, streamed: optionalBoolean(body["stream"], "stream") ?? false };
}

function conversation(entries: unknown[]): { system: string[]; messages: Message[] } {
  const system: string[] = [];
  const messages: Message[] = [];
  const names: CallNames = new Map();
  for (const [at, entry] of entries.entries()) {
    const field = `messages[${at}]`;
    const said = requiredObject(entry, field);
    switch (said["role"]) {
      case "system":
        system.push(...contentOf({ said, field }).map(textOfBlock));
        break;
      case "user":
        messages.push({ role: "user", content: contentOf({ said, field }).map(partOf) });
        break;
      case "assistant":
        messages.push({ role: "assistant", content: answerOf({ said, field }, names) });
        break;
      case "tool":
        messages.push(resultOf({ said, field }, names));
        break;
      default:
        throw badField(`${field}.role`, '"system", "user", "assistant" or "tool"');
    }
  }
  return { system, messages };
}

/** An answer with calls has no content. */
const contentOf = ({ said, field }: CohereEntry): RequestBlock[] =>
  said["content"] === "" ? [] : blocksOf(said["content"] ?? [], `${field}.content`);

function partOf(part: RequestBlock): ContentPart {
  if (part.block["type"] !== "image_url") return { type: "text", text: textOfBlock(part) };
  const field = `${part.field}.image_url`;
  return readDataUrl(requiredObject(part.block["image_url"], field)["url"], `${field}.url`);
}

function answerOf({ said, field }: CohereEntry, names: CallNames): AssistantPart[] {
  const plan = optionalText(said["tool_plan"], `${field}.tool_plan`) ?? "";
  const calls = listOf(said["tool_calls"], `${field}.tool_calls`);
  return [
    ...(plan === "" ? [] : [{ type: "reasoning", text: plan } as const]),
    ...contentOf({ said, field }).map(answerPart),
    ...calls.map((call, at) => callPart(call, `${field}.tool_calls[${at}]`, names)),
  ];
}

function answerPart(part: RequestBlock): AssistantPart {
  const { block, field } = part;
  if (block["type"] !== "thinking") return { type: "text", text: textOfBlock(part) };
  const text = requiredText(block["thinking"], `${field}.thinking`);
  return { type: "reasoning", text, state: thoughtState };
}

function callPart(value: unknown, field: string, names: CallNames): AssistantPart {
  const call = requiredObject(value, field);
  const asked = requiredObject(call["function"], `${field}.function`);
  const id = requiredText(call["id"], `${field}.id`);
  const name = requiredText(asked["name"], `${field}.function.name`);
  names.set(id, name);
  return { type: "call", call: { id, name, source: "native", ...readArguments(asked["arguments"]) } };
}

function resultOf({ said, field }: CohereEntry, names: CallNames): Message {
  const callId = requiredText(said["tool_call_id"], `${field}.tool_call_id`);
  const content = contentOf({ said, field }).map((block): ContentPart => ({
    type: "text",
    text: outputOf(block),
  }));
  return { role: "tool", callId, name: names.get(callId) ?? "", content, isError: false };
}

/** The text of a result: a text, or a document whose data is a text or an object. */
function outputOf(part: RequestBlock): string {
  if (part.block["type"] !== "document") return textOfBlock(part);
  const field = `${part.field}.document`;
  const { data } = requiredObject(part.block["document"], field);
  return typeof data === "string" ? data : JSON.stringify(requiredObject(data, `${field}.data`));
}

function toolChoiceOf(value: unknown): ToolChoice | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === "REQUIRED") return "required";
  if (value === "NONE") return "none";
  throw badField("tool_choice", '"REQUIRED" or "NONE"');
}
