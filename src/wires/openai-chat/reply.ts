/** Encodes an answer in the Chat Completions format, streamed or whole, for clients of our language-model server. */

import type { JsonObject } from "../../base/json.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import type { EndReason, ModelEvent, Usage } from "../../protocol/model-events.ts";
import { streamAnswer } from "../answer-stream.ts";
import { makeId } from "../fields.ts";
import { writeSse } from "../framing.ts";
import { gather } from "../gather.ts";
import { presentJson } from "../present.ts";
import { textOfCall } from "../text-tool.ts";
import type { CallForm, CallForms } from "../wire.ts";
import { argumentsText, restOfArguments } from "./arguments.ts";
import { errorBody } from "./errors.ts";
import { detailsOf } from "./reasoning.ts";

/** The encoding state of an answer. `calls` by id: their position in the list and the arguments sent so far. */
type ChatWriter = {
  head: { id: string; created: number; model: string };
  begun: boolean;
  calls: Map<string, { index: number; sent: string[]; takes: CallForm["takes"] }>;
  forms: CallForms;
  usage: Usage | undefined;
};

/** A ModelError in mid-stream becomes the last frame, without `[DONE]`; all other errors pass through to the caller. */
export function encodeEvents(
  events: AsyncIterable<ModelEvent>,
  forms: CallForms = new Map(),
): AsyncGenerator<string> {
  const writer: ChatWriter = { head: newHead(""), begun: false, calls: new Map(), forms, usage: undefined };
  return streamAnswer(events, {
    write: (event) => framesOf(writer, event),
    failed: (error) => writeSse(JSON.stringify(errorBody(error))),
  });
}

/** The order between reasoning, text and calls is lost: the format has one place for each. */
export function encodeWhole(events: readonly ModelEvent[], forms?: CallForms): JsonObject {
  const { model, parts, usage, reason } = gather(events);
  const thoughts = parts.filter((part) => part.type === "reasoning");
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const reasoning = thoughts.map((part) => part.text).join("");
  const details = thoughts.flatMap((part) => detailsOf(part.state));
  const calls = parts.flatMap((part) =>
    part.type === "call" ? [wholeCall(part.call, forms?.get(part.call.name))] : [],
  );
  const message = presentJson({
    role: "assistant",
    content: text === "" ? null : text,
    refusal: null,
    reasoning_content: reasoning === "" ? undefined : reasoning,
    reasoning_details: details.length === 0 ? undefined : details,
    tool_calls: calls.length === 0 ? undefined : calls,
  });
  const choice: JsonObject = { index: 0, message, logprobs: null, finish_reason: finishReasons[reason] };
  return presentJson({
    ...newHead(model),
    object: "chat.completion",
    choices: [choice],
    usage: usage && usageBody(usage),
  });
}

const newHead = (model: string): ChatWriter["head"] => ({
  id: makeId("chatcmpl").replace("_", "-"),
  created: Math.floor(Date.now() / 1000),
  model,
});

function framesOf(writer: ChatWriter, event: ModelEvent): string[] {
  if (event.type === "answer-start") writer.head.model = event.model;
  const begin = !writer.begun && event.type !== "retrying";
  if (!begin) return bodyOf(writer, event);
  writer.begun = true;
  return [chunk(writer, { role: "assistant", content: "" }), ...bodyOf(writer, event)];
}

function bodyOf(writer: ChatWriter, event: ModelEvent): string[] {
  switch (event.type) {
    case "text-delta":
      return [chunk(writer, { content: event.text })];
    case "reasoning-delta":
      return [chunk(writer, { reasoning_content: event.text })];
    case "reasoning-end": {
      const details = detailsOf(event.state);
      return details.length === 0 ? [] : [chunk(writer, { reasoning_details: details })];
    }
    case "call-start":
      return [openCall(writer, event.id, event.name)];
    case "call-delta":
      return moreOfCall(writer, event.id, event.json);
    case "call-end":
      return closeCall(writer, event.call);
    case "usage":
      writer.usage = event.usage;
      return [];
    case "answer-end":
      return finish(writer, event.reason);
    case "withheld":
      return [chunk(writer, {})];
    case "answer-start":
    case "notice":
    case "text-was-reasoning":
    case "retrying":
      return [];
    default:
      return event satisfies never;
  }
}

function openCall(writer: ChatWriter, id: string, name: string): string {
  const index = writer.calls.size;
  const takes = writer.forms.get(name)?.takes ?? "arguments";
  writer.calls.set(id, { index, sent: [], takes });
  const said: JsonObject =
    takes === "text"
      ? { type: "custom", custom: { name, input: "" } }
      : { type: "function", function: { name, arguments: "" } };
  return chunk(writer, { tool_calls: [{ index, id, ...said }] });
}

/** If the client's tool takes a text, the arguments are held back until they are complete. */
function moreOfCall(writer: ChatWriter, id: string, json: string): string[] {
  const call = writer.calls.get(id);
  if (!call || json === "") return [];
  call.sent.push(json);
  if (call.takes === "text") return [];
  return [chunk(writer, { tool_calls: [{ index: call.index, function: { arguments: json } }] })];
}

function closeCall(writer: ChatWriter, call: ToolCall): string[] {
  const opened = writer.calls.has(call.id) ? [] : [openCall(writer, call.id, call.name)];
  const { index = 0, sent = [], takes } = writer.calls.get(call.id) ?? {};
  if (takes === "text") {
    const input = textOfCall(call);
    return [
      ...opened,
      ...(input === "" ? [] : [chunk(writer, { tool_calls: [{ index, custom: { input } }] })]),
    ];
  }
  return [...opened, ...moreOfCall(writer, call.id, restOfArguments(call, sent.join("")))];
}

/** The usage gets a chunk of its own; for clients that did not request usage the caller drops the event. */
function finish(writer: ChatWriter, reason: EndReason): string[] {
  const usage = writer.usage ? [frame(writer, { choices: [], usage: usageBody(writer.usage) })] : [];
  return [chunk(writer, {}, finishReasons[reason]), ...usage, writeSse("[DONE]")];
}

const finishReasons: Record<EndReason, string> = {
  stop: "stop",
  "tool-calls": "tool_calls",
  length: "length",
  refusal: "content_filter",
};

const chunk = (writer: ChatWriter, delta: JsonObject, finish: string | null = null): string =>
  frame(writer, { choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });

const frame = ({ head }: ChatWriter, rest: JsonObject): string =>
  writeSse(JSON.stringify({ ...head, object: "chat.completion.chunk", ...rest }));

const wholeCall = (call: ToolCall, form: CallForm | undefined): JsonObject =>
  form?.takes === "text"
    ? { id: call.id, type: "custom", custom: { name: call.name, input: textOfCall(call) } }
    : { id: call.id, type: "function", function: { name: call.name, arguments: argumentsText(call) } };

function usageBody(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  const prompt: JsonObject = {};
  if (cacheReadTokens !== undefined) prompt["cached_tokens"] = cacheReadTokens;
  if (cacheWriteTokens !== undefined) prompt["cache_write_tokens"] = cacheWriteTokens;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(Object.keys(prompt).length === 0 ? {} : { prompt_tokens_details: prompt }),
    ...(reasoningTokens === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}
