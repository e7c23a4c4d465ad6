/** Encodes an answer in the OpenAI Responses format, streamed or whole, for clients of our language-model server. */

import { isObject, type JsonObject } from "../../base/json.ts";
import type { ToolCall, Opaque } from "../../protocol/messages.ts";
import type { EndReason, ModelError, ModelEvent, Usage } from "../../protocol/model-events.ts";
import { streamAnswer } from "../answer-stream.ts";
import { makeId, objectAt, stringAt } from "../fields.ts";
import { writeSse } from "../framing.ts";
import { thoughtsTold } from "../gather.ts";
import { argumentsText, restOfArguments } from "../openai-chat/arguments.ts";
import { errorBody } from "../openai-chat/errors.ts";
import { textOfCall } from "../text-tool.ts";
import type { CallForm, CallForms } from "../wire.ts";
import { responsesName } from "./ask.ts";
import { keepItem } from "./recent-items.ts";
import { argumentsDelta, callEnd, callItem, prefixOf } from "./reply-calls.ts";
import type { CallEvent } from "./reply-calls.ts";

/** An unfinished item: its position in the output, its id, and the text sent so far. */
type OpenItem = { index: number; id: string; sent: string[] };

/** The encoding state of an answer. A message or reasoning item closes when anything else begins; calls stay open. */
type ResponsesWriter = {
  forms: CallForms;
  head: { id: string; created_at: number; model: string };
  sequence: number;
  output: JsonObject[];
  message: OpenItem | undefined;
  reasoning: OpenItem | undefined;
  calls: Map<string, OpenItem & { form: CallForm | undefined }>;
  usage: Usage | undefined;
};

/** A ModelError in mid-stream becomes a final `error` event; all other errors pass through to the caller. */
export function encodeEvents(events: AsyncIterable<ModelEvent>, forms?: CallForms): AsyncGenerator<string> {
  const writer = newWriter(forms);
  const frame = (event: CallEvent): string =>
    writeSse(JSON.stringify({ ...event, sequence_number: writer.sequence++ }), event.type);
  return streamAnswer(events, {
    write: (event) => eventsOf(writer, event).map(frame),
    failed: (error) => frame(failure(error)),
  });
}

function failure(error: ModelError): CallEvent {
  const { code, message } = objectAt(errorBody(error), "error") ?? {};
  return { type: "error", code: String(code), message: String(message), param: null };
}

/** The whole reply is the response in the stream's last event. */
export function encodeWhole(events: readonly ModelEvent[], forms?: CallForms): JsonObject {
  const writer = newWriter(forms);
  let reason: EndReason = "stop";
  for (const event of thoughtsTold(events)) {
    if (event.type === "answer-end") reason = event.reason;
    else eventsOf(writer, event);
  }
  closeOpen(writer);
  return responseOf(writer, reason);
}

const newWriter = (forms: CallForms = new Map()): ResponsesWriter => ({
  forms,
  head: { id: makeId("resp"), created_at: Math.floor(Date.now() / 1000), model: "" },
  sequence: 0,
  output: [],
  message: undefined,
  reasoning: undefined,
  calls: new Map(),
  usage: undefined,
});

function eventsOf(writer: ResponsesWriter, event: ModelEvent): CallEvent[] {
  switch (event.type) {
    case "answer-start":
      writer.head.model = event.model;
      return [progressEvent(writer, "response.created"), progressEvent(writer, "response.in_progress")];
    case "text-delta":
      return writeText(writer, event.text);
    case "reasoning-delta":
      return writeReasoning(writer, event.text);
    case "reasoning-end":
      return endReasoning(writer, event.state);
    case "call-start":
      return [...closeOpen(writer), openCall(writer, event.id, event.name)];
    case "call-delta":
      return moreOfCall(writer, event.id, event.json);
    case "call-end":
      return endCall(writer, event.call);
    case "usage":
      writer.usage = event.usage;
      return [];
    case "answer-end":
      return [...closeOpen(writer), endEvent(writer, event.reason)];
    case "text-was-reasoning":
      return closeMessage(writer);
    case "withheld":
      return [progressEvent(writer, "response.in_progress")];
    case "notice":
    case "retrying":
      return [];
    default:
      return event satisfies never;
  }
}

const progressEvent = (writer: ResponsesWriter, type: string): CallEvent => ({
  type,
  response: responseOf(writer, undefined),
});

function endEvent(writer: ResponsesWriter, reason: EndReason): CallEvent {
  const type = reason === "length" || reason === "refusal" ? "response.incomplete" : "response.completed";
  return { type, response: responseOf(writer, reason) };
}

function open(
  writer: ResponsesWriter,
  prefix: string,
  item: (id: string) => JsonObject,
): [OpenItem, CallEvent] {
  const opened = { index: writer.output.length, id: makeId(prefix), sent: [] };
  const first = item(opened.id);
  writer.output.push(first);
  return [opened, { type: "response.output_item.added", output_index: opened.index, item: first }];
}

function close(writer: ResponsesWriter, { index, id }: OpenItem, item: JsonObject): CallEvent {
  writer.output[index] = item;
  keepItem(id, item);
  return { type: "response.output_item.done", output_index: index, item };
}

/** Ends the open message or reasoning item. */
function closeOpen(writer: ResponsesWriter): CallEvent[] {
  return [...closeMessage(writer), ...(writer.reasoning ? endReasoning(writer, undefined) : [])];
}

function writeText(writer: ResponsesWriter, delta: string): CallEvent[] {
  const before: CallEvent[] = [];
  if (!writer.message) {
    before.push(...closeOpen(writer));
    const [message, added] = open(writer, "msg", (id) => messageItem(id, undefined));
    writer.message = message;
    before.push(added, { type: "response.content_part.added", ...textAt(message), part: textPart("") });
  }
  writer.message.sent.push(delta);
  return [...before, { type: "response.output_text.delta", ...textAt(writer.message), delta, logprobs: [] }];
}

function closeMessage(writer: ResponsesWriter): CallEvent[] {
  const { message } = writer;
  if (!message) return [];
  writer.message = undefined;
  const text = message.sent.join("");
  return [
    { type: "response.output_text.done", ...textAt(message), text, logprobs: [] },
    { type: "response.content_part.done", ...textAt(message), part: textPart(text) },
    close(writer, message, messageItem(message.id, text)),
  ];
}

const textAt = ({ id, index }: OpenItem): JsonObject => ({
  item_id: id,
  output_index: index,
  content_index: 0,
});

const textPart = (text: string): JsonObject => ({ type: "output_text", text, annotations: [], logprobs: [] });

const messageItem = (id: string, text: string | undefined): JsonObject => ({
  id,
  type: "message",
  status: text === undefined ? "in_progress" : "completed",
  role: "assistant",
  content: text === undefined ? [] : [textPart(text)],
});

/** Reasoning is sent as a summary, the only form that every client of this format shows. */
function writeReasoning(writer: ResponsesWriter, delta: string): CallEvent[] {
  const before: CallEvent[] = [];
  if (!writer.reasoning) {
    before.push(...closeOpen(writer));
    const [reasoning, added] = open(writer, "rs", (id) => ({ id, type: "reasoning", summary: [] }));
    writer.reasoning = reasoning;
    before.push(added, {
      type: "response.reasoning_summary_part.added",
      ...summaryAt(reasoning),
      part: summaryPart(""),
    });
  }
  writer.reasoning.sent.push(delta);
  return [
    ...before,
    { type: "response.reasoning_summary_text.delta", ...summaryAt(writer.reasoning), delta },
  ];
}

/** State of this format is sent unchanged, but under the id that its item was announced with. */
function endReasoning(writer: ResponsesWriter, state: Opaque | undefined): CallEvent[] {
  const kept = state?.from === responsesName && isObject(state.value) ? state.value : {};
  const { reasoning } = writer;
  writer.reasoning = undefined;
  if (!reasoning) return Object.keys(kept).length === 0 ? [] : wholeReasoning(writer, kept);
  const text = reasoning.sent.join("");
  const item = { summary: [summaryPart(text)], ...kept, type: "reasoning", id: reasoning.id };
  return [
    { type: "response.reasoning_summary_text.done", ...summaryAt(reasoning), text },
    { type: "response.reasoning_summary_part.done", ...summaryAt(reasoning), part: summaryPart(text) },
    close(writer, reasoning, item),
  ];
}

function wholeReasoning(writer: ResponsesWriter, kept: JsonObject): CallEvent[] {
  const before = closeOpen(writer);
  const id = stringAt(kept, "id") ?? makeId("rs");
  const [item, added] = open(writer, "rs", () => ({ id, type: "reasoning", summary: [] }));
  return [...before, added, close(writer, item, { summary: [], ...kept, type: "reasoning", id })];
}

const summaryAt = ({ id, index }: OpenItem): JsonObject => ({
  item_id: id,
  output_index: index,
  summary_index: 0,
});

const summaryPart = (text: string): JsonObject => ({ type: "summary_text", text });

function openCall(writer: ResponsesWriter, callId: string, name: string): CallEvent {
  const form = writer.forms.get(name);
  const [call, added] = open(writer, prefixOf(form), (id) =>
    callItem(id, callId, { name, form, text: "", status: "in_progress" }),
  );
  writer.calls.set(callId, { ...call, form });
  return added;
}

/** Only plain arguments are sent before they are complete. */
function moreOfCall(writer: ResponsesWriter, callId: string, delta: string): CallEvent[] {
  const call = writer.calls.get(callId);
  if (!call || delta === "") return [];
  call.sent.push(delta);
  return (call.form?.takes ?? "arguments") === "arguments" ? [argumentsDelta(call, delta)] : [];
}

function endCall(writer: ResponsesWriter, call: ToolCall): CallEvent[] {
  const opened = writer.calls.has(call.id)
    ? []
    : [...closeOpen(writer), openCall(writer, call.id, call.name)];
  const item = writer.calls.get(call.id);
  if (!item) return opened;
  const more = moreOfCall(writer, call.id, restOfArguments(call, item.sent.join("")));
  const { form } = item;
  const text = form?.takes === "text" ? textOfCall(call) : argumentsOf(call, item.sent.join(""));
  const status = call.problem === undefined ? "completed" : "incomplete";
  const whole = callItem(item.id, call.id, { name: call.name, form, text, status });
  return [...opened, ...more, ...callEnd(item, { name: call.name, form, text }), close(writer, item, whole)];
}

const argumentsOf = (call: ToolCall, sent: string): string =>
  call.problem === undefined ? argumentsText(call) : sent;

/** The format's reasons for an incomplete answer; absent if it is complete. */
const cutReasons: Partial<Record<EndReason, string>> = {
  length: "max_output_tokens",
  refusal: "content_filter",
};

/** Builds the response object; `reason` is undefined while the answer is incomplete. */
function responseOf({ head, output, usage }: ResponsesWriter, reason: EndReason | undefined): JsonObject {
  const cut = reason === undefined ? undefined : cutReasons[reason];
  const ended = cut === undefined ? "completed" : "incomplete";
  return {
    ...head,
    object: "response",
    status: reason === undefined ? "in_progress" : ended,
    error: null,
    incomplete_details: cut === undefined ? null : { reason: cut },
    instructions: null,
    max_output_tokens: null,
    output: [...output],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: null,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: null,
    truncation: "disabled",
    usage: usage && reason !== undefined ? usageBody(usage) : null,
    user: null,
    metadata: {},
  };
}

/** Includes every number that the format requires; unknown ones are 0. */
function usageBody(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cacheReadTokens ?? 0, cache_write_tokens: cacheWriteTokens ?? 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
    total_tokens: inputTokens + outputTokens,
  };
}
