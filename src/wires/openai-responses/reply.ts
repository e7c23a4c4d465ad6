/** Encodes an answer in the OpenAI Responses format, streamed or whole, for clients of our language-model server. */

import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { Opaque } from "../../protocol/messages.ts";
import type { EndReason, ModelError, ModelEvent, Usage } from "../../protocol/model-events.ts";
import { AnswerBlocks, type OutgoingBlock } from "../answer-blocks.ts";
import { streamAnswer } from "../answer-stream.ts";
import { makeId, objectAt, stringAt } from "../fields.ts";
import { writeSse } from "../framing.ts";
import { thoughtsTold } from "../gather.ts";
import { errorBody } from "../openai-chat/errors.ts";
import { textOfCall } from "../text-tool.ts";
import type { CallForms } from "../wire.ts";
import { responsesName } from "./ask.ts";
import { keepItem } from "./recent-items.ts";
import {
  argumentsDelta,
  callEnd,
  callItem,
  prefixOf,
  type CallEvent,
  type ItemPosition,
} from "./reply-calls.ts";

type ResponsesWriter = {
  head: { id: string; created_at: number; model: string };
  sequence: number;
  output: JsonObject[];
  blocks: AnswerBlocks<CallEvent[]>;
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

/** The whole reply is the response in the stream's last event. Of a call only what it has become counts. */
export function encodeWhole(events: readonly ModelEvent[], forms?: CallForms): JsonObject {
  const writer = newWriter(forms);
  const told = thoughtsTold(events.filter(({ type }) => type !== "call-delta"));
  for (const event of told) eventsOf(writer, event);
  const reasons = told.flatMap((event) => (event.type === "answer-end" ? [event.reason] : []));
  return responseOf(writer, reasons.at(-1) ?? "stop");
}

function newWriter(forms: CallForms = new Map()): ResponsesWriter {
  const output: JsonObject[] = [];
  const items: WrittenItems = { output, forms };
  const blocks = new AnswerBlocks<CallEvent[]>({
    begin: (block) => begin(block, items),
    piece: (block, text) => piece(block, text, items),
    end: (block) => end(block, items),
    carries: (state) => (Object.keys(keptItem(state)).length > 0 ? "with" : undefined),
  });
  const head = { id: makeId("resp"), created_at: Math.floor(Date.now() / 1000), model: "" };
  return { head, sequence: 0, output, blocks };
}

function eventsOf(writer: ResponsesWriter, event: ModelEvent): CallEvent[] {
  switch (event.type) {
    case "answer-start":
      writer.head.model = event.model;
      return [progressEvent(writer, "response.created"), progressEvent(writer, "response.in_progress")];
    case "answer-end":
      return [...writer.blocks.end().flat(), endEvent(writer, event.reason)];
    case "withheld":
      return [progressEvent(writer, "response.in_progress")];
    default:
      return writer.blocks.write(event).flat();
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

type WrittenItems = { output: JsonObject[]; forms: CallForms };

function begin(block: OutgoingBlock, { output, forms }: WrittenItems): CallEvent[] {
  const { kind, index, id: callId, name, state, waiting } = block;
  const form = forms.get(name);
  const own = waiting.length === 0 ? stringAt(keptItem(state), "id") : undefined;
  const id = own ?? makeId({ text: "msg", reasoning: "rs", call: prefixOf(form) }[kind]);
  const items = {
    text: () => messageItem(id, undefined),
    reasoning: () => ({ id, type: "reasoning", summary: [] }),
    call: () => callItem(id, callId, { name, form, text: "", status: "in_progress" }),
  };
  const item = items[kind]();
  output[index] = item;
  const added = { type: "response.output_item.added", output_index: index, item };
  const at = placeIn(block, output);
  if (kind === "text") return [added, { type: "response.content_part.added", ...at, part: textPart("") }];
  return kind === "call" || waiting.length === 0
    ? [added]
    : [added, { type: "response.reasoning_summary_part.added", ...at, part: summaryPart("") }];
}

/** Only plain arguments are sent before they are complete. Reasoning is a summary, which every client shows. */
function piece(block: OutgoingBlock, delta: string, { output, forms }: WrittenItems): CallEvent[] {
  const at = placeIn(block, output);
  switch (block.kind) {
    case "text":
      return [{ type: "response.output_text.delta", ...at, delta, logprobs: [] }];
    case "reasoning":
      return [{ type: "response.reasoning_summary_text.delta", ...at, delta }];
    case "call":
      return (forms.get(block.name)?.takes ?? "arguments") === "arguments"
        ? [argumentsDelta(positionIn(block, output), delta)]
        : [];
    default:
      return block.kind satisfies never;
  }
}

function end(block: OutgoingBlock, { output, forms }: WrittenItems): CallEvent[] {
  const { kind, index, sent } = block;
  const at = placeIn(block, output);
  const position = positionIn(block, output);
  const close = (item: JsonObject): CallEvent => {
    output[index] = item;
    keepItem(position.id, item);
    return { type: "response.output_item.done", output_index: index, item };
  };
  switch (kind) {
    case "text":
      return [
        { type: "response.output_text.done", ...at, text: sent, logprobs: [] },
        { type: "response.content_part.done", ...at, part: textPart(sent) },
        close(messageItem(position.id, sent)),
      ];
    case "reasoning": {
      const part = summaryPart(sent);
      // State of this format is sent unchanged, but under the id that its item was announced with.
      const told = { summary: sent === "" ? [] : [part], ...keptItem(block.state) };
      const done = close({ ...told, type: "reasoning", id: position.id });
      if (sent === "") return [done];
      return [
        { type: "response.reasoning_summary_text.done", ...at, text: sent },
        { type: "response.reasoning_summary_part.done", ...at, part },
        done,
      ];
    }
    case "call": {
      const { id, name, call } = block;
      const form = forms.get(name);
      const text = form?.takes === "text" ? (call ? textOfCall(call) : "") : sent;
      const status = call && call.problem === undefined ? "completed" : "incomplete";
      const whole = callItem(position.id, id, { name, form, text, status });
      return [...callEnd(position, { name, form, text }), close(whole)];
    }
    default:
      return kind satisfies never;
  }
}

/** The item that its provider wants back; empty for the state of another format. */
const keptItem = (state: Opaque | undefined): JsonObject =>
  state?.from === responsesName && isJsonObject(state.value) ? state.value : {};

const positionIn = ({ index }: OutgoingBlock, output: readonly JsonObject[]): ItemPosition => ({
  id: stringAt(output[index], "id") ?? "",
  index,
});

function placeIn(block: OutgoingBlock, output: readonly JsonObject[]): JsonObject {
  const { id, index } = positionIn(block, output);
  return { item_id: id, output_index: index, [block.kind === "text" ? "content_index" : "summary_index"]: 0 };
}

const textPart = (text: string): JsonObject => ({ type: "output_text", text, annotations: [], logprobs: [] });

const messageItem = (id: string, text: string | undefined): JsonObject => ({
  id,
  type: "message",
  status: text === undefined ? "in_progress" : "completed",
  role: "assistant",
  content: text === undefined ? [] : [textPart(text)],
});

const summaryPart = (text: string): JsonObject => ({ type: "summary_text", text });

/** The format's reasons for an incomplete answer; absent if it is complete. */
const cutReasons: Partial<Record<EndReason, string>> = {
  length: "max_output_tokens",
  refusal: "content_filter",
};

/** Builds the response object; `reason` is undefined while the answer is incomplete. */
function responseOf(
  { head, output, blocks: { usage } }: ResponsesWriter,
  reason: EndReason | undefined,
): JsonObject {
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
