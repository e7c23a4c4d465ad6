/**
 * Encodes a request in the Chat Completions format. Not carried: `contextTokens`; whether a result is an error (its
 * text must say so); the order of text and calls within an answer; pictures in results, which follow in a user message
 * after all results of the answer, before the user's next text (chat templates require alternating turns); reasoning of
 * other wires; empty answers.
 */

import type { JsonObject } from "../../base/json.ts";
import { formsOf } from "../../base/kept-json.ts";
import {
  type Ask,
  type AssistantPart,
  type Message,
  type ContentPart,
  type ToolChoice,
  type ToolDescription,
  joinTexts,
} from "../../protocol/messages.ts";
import { type CallIdMapping, idsIn, safeIds } from "../call-ids.ts";
import { writtenArguments } from "../fields.ts";
import { functionOf, functionTool } from "../function-tool.ts";
import { type MessageForms, withPicturesApart } from "../pictures-apart.ts";
import { strictSchema } from "../strict-schema.ts";
import { partJson } from "./parts.ts";
import { besideCall } from "./pieces.ts";
import { reasoningForHistory } from "./reasoning.ts";

export function encodeAsk(ask: Ask, { streamed }: { streamed: boolean }): JsonObject {
  const body: JsonObject = { model: ask.model, messages: messagesOf(ask), stream: streamed };
  if (streamed) body["stream_options"] = { include_usage: true };
  if (ask.tools.length > 0) {
    body["tools"] = ask.tools.map((tool) => toolOf(tool, ask));
    if (ask.toolChoice !== undefined) body["tool_choice"] = choiceOf(ask.toolChoice);
  }
  // Every compatible server knows max_tokens. OpenAI's own reasoning models require max_completion_tokens: the
  // provider's row in the catalog renames it.
  if (ask.maxTokens !== undefined) body["max_tokens"] = ask.maxTokens;
  if (ask.temperature !== undefined) body["temperature"] = ask.temperature;
  if (ask.stop !== undefined) body["stop"] = ask.stop;
  constrain(body, ask);
  if (ask.reasoning !== undefined)
    body["reasoning_effort"] = ask.reasoning === "off" ? "none" : ask.reasoning;
  return body;
}

function toolOf(tool: ToolDescription, ask: Ask): JsonObject {
  const schema = strictSchema(tool, ask);
  return schema === undefined
    ? functionTool(tool)
    : { type: "function", function: { ...functionOf({ ...tool, schema }), strict: true } };
}

/** OpenAI's form of a schema; XGrammar's of tags (vLLM, SGLang); llama.cpp's of a grammar. */
function constrain(body: JsonObject, { constraint }: Ask): void {
  if (constraint?.type === "grammar") body["grammar"] = constraint.grammar;
  if (constraint?.type === "structural-tags")
    body["response_format"] = { type: "structural_tag", format: constraint.format };
  if (constraint?.type === "schema")
    body["response_format"] = {
      type: "json_schema",
      json_schema: { name: "answer", schema: constraint.schema, strict: true },
    };
}

const formed = formsOf();

function messagesOf({ system, messages }: Ask): JsonObject[] {
  const ids = safeIds();
  const forms: MessageForms = {
    user: (content) => formed(content, "", () => [{ role: "user", content: contentOf(content) }]),
    answer: (parts) => formed(parts, idsIn(parts, ids), () => answerOf(parts, ids)),
    result: (result) => formed(result, ids(result.callId), () => [resultOf(result, ids)]),
  };
  const first = system === "" ? [] : [{ role: "system", content: system }];
  return [...first, ...withPicturesApart(messages, forms)];
}

function resultOf({ callId, content }: Extract<Message, { role: "tool" }>, ids: CallIdMapping): JsonObject {
  const pictured = content.some((part) => part.type === "image");
  const text = joinTexts(content, "\n");
  return {
    role: "tool",
    tool_call_id: ids(callId),
    content: text === "" && pictured ? "(an image, see below)" : text,
  };
}

function answerOf(parts: readonly AssistantPart[], ids: CallIdMapping): JsonObject[] {
  const calls = parts.flatMap((part) => (part.type === "call" ? [part.call] : []));
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const reasoning = parts.filter((part) => part.type === "reasoning");
  if (calls.length === 0 && text === "") return [];
  const message: JsonObject = {
    role: "assistant",
    content: text === "" ? null : text,
    ...reasoningForHistory(reasoning, calls.length > 0),
  };
  if (calls.length === 0) return [message];
  const tool_calls = calls.map((call): JsonObject => ({
    id: ids(call.id),
    type: "function",
    function: { name: call.name, arguments: writtenArguments(call) },
    ...besideCall(call.state),
  }));
  return [{ ...message, tool_calls }];
}

/** Content without pictures is sent as one string: some compatible servers accept nothing else. */
const contentOf = (parts: readonly ContentPart[]): string | JsonObject[] =>
  parts.every(({ type }) => type === "text") ? joinTexts(parts, "\n\n") : parts.map(partJson);

const choiceOf = (choice: ToolChoice): string | JsonObject =>
  typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };
