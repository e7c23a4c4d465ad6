/** Encodes model events as Anthropic's answers, streamed or whole: the server half. */

import type { Json, JsonObject } from "../../base/json.ts";
import type { AssistantPart } from "../../protocol/messages.ts";
import type { EndReason, ModelEvent, Usage } from "../../protocol/model-events.ts";
import { AnswerBlocks, type OutgoingBlock } from "../answer-blocks.ts";
import { streamAnswer } from "../answer-stream.ts";
import { makeId } from "../fields.ts";
import { writeSse } from "../framing.ts";
import { gather, unreadable } from "../gather.ts";
import { presentJson } from "../present.ts";
import { errorBody } from "./errors.ts";
import { blockOf } from "./state.ts";

/**
 * Writes an answer as server-sent events, in the order of D5. A ModelError after the first event becomes an `error`
 * event; before it, it is rethrown, so that it can become an HTTP reply.
 */
export function encodeEvents(events: AsyncIterable<ModelEvent>): AsyncGenerator<string> {
  const blocks = new AnswerBlocks({ begin, piece, end: endBlock, carries });
  return streamAnswer(events, {
    write: (event) => write(blocks, event),
    failed: (error) => frame(errorBody(error)),
  });
}

/** Writes a whole answer. */
export function encodeWhole(events: readonly ModelEvent[]): JsonObject {
  const { model, parts, usage, reason } = gather(events);
  const called = parts.some((part) => part.type === "call");
  return message(model, parts.flatMap(wholeBlock), {
    stop_reason: stopReason(reason, called),
    usage: usageJson(usage),
  });
}

const frame = (data: JsonObject & { type: string }): string => writeSse(JSON.stringify(data), data.type);

const message = (model: string, content: Json[], rest: JsonObject): JsonObject => ({
  id: makeId("msg"),
  type: "message",
  role: "assistant",
  model,
  content,
  stop_reason: null,
  stop_sequence: null,
  ...rest,
});

function write(blocks: AnswerBlocks, event: ModelEvent): string[] {
  if (event.type === "answer-start") {
    const begun = message(event.model, [], { usage: usageJson(undefined) });
    return [frame({ type: "message_start", message: begun })];
  }
  if (event.type === "withheld") return [frame({ type: "ping" })];
  return event.type === "answer-end"
    ? [...blocks.end(), ...ending(blocks, event.reason)]
    : blocks.write(event);
}

function begin(block: OutgoingBlock): string {
  const { kind, index, id, name } = block;
  const kept = blockOf(block.state);
  const starts = {
    text: { type: "text", text: "" },
    reasoning: kept?.["type"] === redacted ? kept : { type: "thinking", thinking: "", signature: "" },
    call: { type: "tool_use", id, name, input: {} },
  };
  return frame({ type: "content_block_start", index, content_block: starts[kind] });
}

function piece({ kind, index }: OutgoingBlock, text: string): string {
  const deltas = {
    text: { type: "text_delta", text },
    reasoning: { type: "thinking_delta", thinking: text },
    call: { type: "input_json_delta", partial_json: text },
  };
  return blockDelta(index, deltas[kind]);
}

const blockDelta = (index: number, delta: JsonObject): string =>
  frame({ type: "content_block_delta", index, delta });

function endBlock(block: OutgoingBlock): string {
  const { index, sent } = block;
  const stop = frame({ type: "content_block_stop", index });
  const kept = blockOf(block.state);
  if (!kept || kept["type"] === redacted) return stop;
  const { thinking = "", signature = "" } = kept;
  const unsaid =
    sent === "" && thinking !== "" ? blockDelta(index, { type: "thinking_delta", thinking }) : "";
  return unsaid + blockDelta(index, { type: "signature_delta", signature }) + stop;
}

const redacted = "redacted_thinking";

/** The state of another wire cannot be carried: such a block is sent without a signature. */
function carries(state: OutgoingBlock["state"]): "with" | "alone" | undefined {
  const kept = blockOf(state);
  return kept && (kept["type"] === redacted ? "alone" : "with");
}

const ending = ({ called, usage }: AnswerBlocks, reason: EndReason): string[] => [
  frame({
    type: "message_delta",
    delta: { stop_reason: stopReason(reason, called), stop_sequence: null },
    usage: usageJson(usage),
  }),
  frame({ type: "message_stop" }),
];

function stopReason(reason: EndReason, called: boolean): string {
  if (reason === "length") return "max_tokens";
  if (reason === "refusal") return "refusal";
  return called ? "tool_use" : "end_turn";
}

/** The format requires these counts: 0 if unknown, but null for unknown cache counts, which clients add up. */
function usageJson(usage: Usage | undefined): JsonObject {
  const read = usage?.cacheReadTokens;
  const written = usage?.cacheWriteTokens;
  const thinking = usage?.reasoningTokens;
  return presentJson({
    input_tokens: Math.max(0, (usage?.inputTokens ?? 0) - (read ?? 0) - (written ?? 0)),
    output_tokens: usage?.outputTokens ?? 0,
    cache_read_input_tokens: read ?? null,
    cache_creation_input_tokens: written ?? null,
    output_tokens_details: thinking === undefined ? undefined : { thinking_tokens: thinking },
  });
}

function wholeBlock(part: AssistantPart): JsonObject[] {
  if (part.type === "text") return [{ type: "text", text: part.text }];
  if (part.type === "reasoning")
    return [blockOf(part.state) ?? { type: "thinking", thinking: part.text, signature: "" }];
  const { call } = part;
  const input = call.problem === undefined ? call.input : unreadable(call);
  return [{ type: "tool_use", id: call.id, name: call.name, input }];
}
