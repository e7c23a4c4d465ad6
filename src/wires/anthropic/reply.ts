/** Encodes model events as Anthropic's answers, streamed or whole: the server half. */

import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "../../base/json.ts";
import type { AssistantPart, ToolCall, Opaque } from "../../protocol/messages.ts";
import { ModelError, type EndReason, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import { streamAnswer } from "../answer-stream.ts";
import { makeId, readArguments, writtenArguments } from "../fields.ts";
import { writeSse } from "../framing.ts";
import { gather, unreadable } from "../gather.ts";
import { presentJson } from "../present.ts";
import { errorBody } from "./errors.ts";
import { blockOf } from "./state.ts";

/** One content block; `deltas` are not sent yet, `json` holds all pieces of a call's arguments. */
type OutgoingBlock = {
  kind: "text" | "reasoning" | "call";
  start: JsonObject;
  deltas: JsonObject[];
  json: string[];
  opened: boolean;
  closed: boolean;
};

/** The blocks of an answer in order. Only the first unclosed one is sent, because blocks cannot interleave. */
type AnthropicWriter = {
  blocks: OutgoingBlock[];
  next: number;
  calls: Map<string, OutgoingBlock>;
  called: boolean;
  usage: Usage | undefined;
};

/**
 * Writes an answer as server-sent events, in the order of D5. Content of a later block waits until the blocks before it
 * are closed. A ModelError after the first event becomes an `error` event; before it, it is rethrown, so that it can
 * become an HTTP reply.
 */
export function encodeEvents(events: AsyncIterable<ModelEvent>): AsyncGenerator<string> {
  const out: AnthropicWriter = { blocks: [], next: 0, calls: new Map(), called: false, usage: undefined };
  return streamAnswer(events, {
    write: (event) => write(out, event),
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

function write(out: AnthropicWriter, event: ModelEvent): string[] {
  switch (event.type) {
    case "answer-start":
      return [
        frame({ type: "message_start", message: message(event.model, [], { usage: usageJson(undefined) }) }),
      ];
    case "text-delta":
      add(textBlock(out), { type: "text_delta", text: event.text });
      return flush(out);
    case "reasoning-delta":
      add(reasoningBlock(out), { type: "thinking_delta", thinking: event.text });
      return flush(out);
    case "reasoning-end":
      endReasoning(out, event.state);
      return flush(out);
    case "call-start":
      startCall(out, event.id, event.name);
      return flush(out);
    case "call-delta":
      addArguments(startCall(out, event.id, ""), event.json);
      return flush(out);
    case "call-end":
      endCall(out, event.call);
      return flush(out);
    case "usage":
      out.usage = event.usage;
      return [];
    case "answer-end":
      return end(out, event.reason);
    case "withheld":
      return [frame({ type: "ping" })];
    case "notice":
    case "text-was-reasoning":
    case "retrying":
      return [];
    default:
      return event satisfies never;
  }
}

function newBlock(out: AnthropicWriter, kind: OutgoingBlock["kind"], start: JsonObject): OutgoingBlock {
  const last = out.blocks.at(-1);
  if (last && last.kind !== "call") last.closed = true;
  const block: OutgoingBlock = { kind, start, deltas: [], json: [], opened: false, closed: false };
  out.blocks.push(block);
  return block;
}

const add = (block: OutgoingBlock, delta: JsonObject): void => {
  block.deltas.push(delta);
};

function textBlock(out: AnthropicWriter): OutgoingBlock {
  const last = out.blocks.at(-1);
  return last?.kind === "text" ? last : newBlock(out, "text", { type: "text", text: "" });
}

function reasoningBlock(out: AnthropicWriter): OutgoingBlock {
  const last = out.blocks.at(-1);
  if (last?.kind === "reasoning" && !last.closed) return last;
  return newBlock(out, "reasoning", { type: "thinking", thinking: "", signature: "" });
}

/** The state of another wire cannot be carried: such a block is sent without a signature. */
function endReasoning(out: AnthropicWriter, state: Opaque | undefined): void {
  const kept = blockOf(state);
  if (kept?.["type"] === "redacted_thinking") {
    newBlock(out, "reasoning", kept).closed = true;
    return;
  }
  const last = out.blocks.at(-1);
  const begun = last?.kind === "reasoning" && !last.closed;
  if (!begun && !kept) return;
  const block = reasoningBlock(out);
  const thinking = kept?.["thinking"];
  if (!begun && thinking !== undefined && thinking !== "") add(block, { type: "thinking_delta", thinking });
  if (kept) add(block, { type: "signature_delta", signature: kept["signature"] ?? "" });
  block.closed = true;
}

function startCall(out: AnthropicWriter, id: string, name: string): OutgoingBlock {
  const known = out.calls.get(id);
  if (known) return known;
  const block = newBlock(out, "call", { type: "tool_use", id, name, input: {} });
  out.calls.set(id, block);
  return block;
}

function addArguments(block: OutgoingBlock, json: string): void {
  block.json.push(json);
  add(block, { type: "input_json_delta", partial_json: json });
}

function endCall(out: AnthropicWriter, call: ToolCall): void {
  const block = startCall(out, call.id, call.name);
  out.called = true;
  const missing = missingArguments(call, block.json.join(""));
  if (missing !== "") addArguments(block, missing);
  block.closed = true;
}

/** The text to append to the arguments already sent so that the client reads exactly this call. */
function missingArguments(call: ToolCall, sent: string): string {
  if (sent === "") return call.problem === undefined ? writtenArguments(call) : unreadable(call);
  const read = readArguments(sent);
  if (call.problem !== undefined) return read.problem === undefined ? ` /* ${call.problem} */` : "";
  if (read.problem === undefined && isDeepStrictEqual(read.input, call.input)) return "";
  throw new ModelError("server", `The arguments of ${call.name} changed while they were sent.`, {
    advice: "Try again.",
  });
}

/** The frames that can be sent now: the first open block's deltas, and the next block once it is closed. */
function flush(out: AnthropicWriter): string[] {
  const frames: string[] = [];
  for (let block = out.blocks[out.next]; block; block = out.blocks[out.next]) {
    const index = out.next;
    if (!block.opened) frames.push(frame({ type: "content_block_start", index, content_block: block.start }));
    block.opened = true;
    for (const delta of block.deltas) frames.push(frame({ type: "content_block_delta", index, delta }));
    block.deltas = [];
    if (!block.closed) break;
    frames.push(frame({ type: "content_block_stop", index }));
    out.next++;
  }
  return frames;
}

function end(out: AnthropicWriter, reason: EndReason): string[] {
  for (const block of out.blocks) {
    // A call that never ended must not be read as one without arguments.
    if (block.kind === "call" && !block.closed && block.json.length === 0) addArguments(block, '{"');
    block.closed = true;
  }
  return [
    ...flush(out),
    frame({
      type: "message_delta",
      delta: { stop_reason: stopReason(reason, out.called), stop_sequence: null },
      usage: usageJson(out.usage),
    }),
    frame({ type: "message_stop" }),
  ];
}

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
