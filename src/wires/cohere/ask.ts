/** Encodes a model request as Cohere's request body. */

import type { JsonObject } from "../../base/json.ts";
import { formsOf } from "../../base/kept-json.ts";
import {
  type Ask,
  type AssistantPart,
  type ToolCall,
  type Message,
  type ContentPart,
  type ToolChoice,
  type ToolDescription,
  textOf,
} from "../../protocol/messages.ts";
import { type CallIdMapping, idsIn, safeIds } from "../call-ids.ts";
import { writtenArguments } from "../fields.ts";
import { functionTool } from "../function-tool.ts";
import { partJson } from "../openai-chat/parts.ts";
import { type MessageForms, withPicturesApart } from "../pictures-apart.ts";
import { presentJson } from "../present.ts";
import { isThought, thinkingOf } from "./thinking.ts";

/** The service refuses more stop sequences, and higher temperatures. */
const mostStops = 5;
const highestTemperature = 1;

/**
 * Encodes a request. Not carried: whether a result is an error (its text says so), the order of parts in an answer with
 * calls, other wires' thoughts in answers without calls, answers without text and calls, `contextTokens`, and stops
 * after the fifth. A named tool is the only one offered, and required. Pictures in results follow in a user message
 * after all results of the answer.
 */
export function encodeAsk(ask: Ask, { streamed }: { streamed: boolean }): JsonObject {
  const tools = offeredTools(ask).map(functionTool);
  return presentJson({
    model: ask.model,
    messages: messagesOf(ask),
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: tools.length > 0 ? choiceOf(ask.toolChoice) : undefined,
    max_tokens: ask.maxTokens,
    temperature: ask.temperature === undefined ? undefined : Math.min(highestTemperature, ask.temperature),
    stop_sequences: ask.stop?.slice(0, mostStops),
    thinking: thinkingOf(ask),
    stream: streamed,
  });
}

const offeredTools = ({ tools, toolChoice }: Ask): ToolDescription[] =>
  typeof toolChoice === "object" ? tools.filter((tool) => tool.name === toolChoice.name) : tools;

/** The format has no value for "auto", which is the default. */
function choiceOf(choice: ToolChoice | undefined): string | undefined {
  if (choice === undefined || choice === "auto") return undefined;
  return choice === "none" ? "NONE" : "REQUIRED";
}

const formed = formsOf();

function messagesOf({ system, messages, reasoning }: Ask): JsonObject[] {
  const ids = safeIds();
  const thinks = reasoning !== "off";
  const forms: MessageForms = {
    user: (content) => formed(content, "", () => [{ role: "user", content: contentOf(content) }]),
    answer: (parts) =>
      formed(parts, `${thinks} ${idsIn(parts, ids)}`, () => answerOf(parts, { thinks, ids })),
    result: (result) => formed(result, ids(result.callId), () => [resultOf(result, ids)]),
  };
  const first = system === "" ? [] : [{ role: "system", content: system }];
  return [...first, ...withPicturesApart(messages, forms)];
}

/** A result must not be empty. */
function resultOf({ callId, content }: Extract<Message, { role: "tool" }>, ids: CallIdMapping): JsonObject {
  const pictured = content.some((part) => part.type === "image");
  const said = textOf(content);
  const nothing = pictured ? "(an image, see below)" : "(no output)";
  return { role: "tool", tool_call_id: ids(callId), content: said.trim() === "" ? nothing : said };
}

function contentOf(parts: readonly ContentPart[]): string | JsonObject[] {
  const [first] = parts;
  if (!first) return "";
  return parts.length === 1 && first.type === "text" ? first.text : parts.map(partJson);
}

/** `thinks`: thoughts may be sent as such, because thinking is not switched off. */
function answerOf(
  parts: readonly AssistantPart[],
  { thinks, ids }: { thinks: boolean; ids: CallIdMapping },
): JsonObject[] {
  const calls = parts.flatMap((part) => (part.type === "call" ? [callJson(part.call, ids)] : []));
  if (calls.length > 0) return [{ role: "assistant", ...planOf(parts, thinks), tool_calls: calls }];
  const blocks = parts.flatMap((part) => blockOf(part, thinks));
  return blocks.some(({ type }) => type === "text") ? [{ role: "assistant", content: blocks }] : [];
}

const callJson = (call: ToolCall, ids: CallIdMapping): JsonObject => ({
  id: ids(call.id),
  type: "function",
  function: { name: call.name, arguments: writtenArguments(call) },
});

/**
 * Joins the thoughts and text before calls into one text: "text content is not allowed when tool_calls are provided",
 * only either a thought or a plan (the API's own words, vercel/ai issue 5794).
 */
function planOf(parts: readonly AssistantPart[], thinks: boolean): JsonObject {
  const texts = parts.flatMap((part) => (part.type === "call" || part.text.trim() === "" ? [] : [part.text]));
  if (texts.length === 0) return {};
  const plan = texts.join("\n\n");
  return thinks && parts.some(isThought)
    ? { content: [{ type: "thinking", thinking: plan }] }
    : { tool_plan: plan };
}

function blockOf(part: AssistantPart, thinks: boolean): JsonObject[] {
  if (part.type === "call" || part.text.trim() === "") return [];
  if (part.type === "text") return [{ type: "text", text: part.text }];
  return thinks && isThought(part) ? [{ type: "thinking", thinking: part.text }] : [];
}
