/** Decodes Anthropic's answers, streamed or whole, into model events. */

import { isObject, type JsonObject } from "../../base/json.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import { ModelError, type EndReason, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import {
  arrayAt,
  copyOf,
  cutArguments,
  makeId,
  namelessCall,
  numberAt,
  objectAt,
  readArguments,
  stringAt,
  wholeObject,
} from "../fields.ts";
import { cutOff, emptyToolUse, frameParser, orFailure, readBatches, withHeard } from "../frames.ts";
import { sseBatches } from "../framing.ts";
import { present } from "../present.ts";
import { errorInside } from "./errors.ts";
import { stateOf } from "./state.ts";

type ToolUseBlock = { kind: "call"; id: string; name: string; pieces: string[]; input: unknown };
type AnswerBlock =
  | { kind: "text" }
  | { kind: "thinking"; texts: string[]; signature: string[] }
  | { kind: "redacted"; block: JsonObject }
  | ToolUseBlock
  /** Server tools and what is not known yet: not ours, and not shown. */
  | { kind: "other" };

type AnthropicAnswer = {
  id: string | undefined;
  model: string;
  heard: boolean;
  open: Map<number, AnswerBlock>;
  ids: Set<string>;
  /**
   * A finished call with missing or unreadable arguments is held until the next event: a length stop would mean that
   * they were cut off.
   */
  waiting: ToolUseBlock | undefined;
  called: boolean;
  /** Whether any text other than white space was received. */
  spoke: boolean;
  stopReason: string | undefined;
  usage: Record<string, number>;
  over: boolean;
};

const newAnswer = (): AnthropicAnswer => ({
  id: undefined,
  model: "",
  heard: false,
  open: new Map(),
  ids: new Set(),
  waiting: undefined,
  called: false,
  spoke: false,
  stopReason: undefined,
  usage: {},
  over: false,
});

/**
 * Decodes a stream of https://platform.claude.com/docs/en/build-with-claude/streaming. `answer-start` comes with the
 * first content, so that an earlier failure can be retried.
 */
export async function* decodeBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ModelEvent[]> {
  const answer = newAnswer();
  const parse = frameParser();
  const read = orFailure(
    ({ event, data }, out) => {
      if (data.startsWith("[DONE]")) return endByMark(answer, out);
      const frame = parse(data);
      // Some gateways name the event only in the SSE frame, not in its data.
      if (frame) frame["type"] ??= event;
      if (frame) out.push(...withAnswerStart(answer, step(answer, frame)));
      return answer.over;
    },
    (said) => errorInside(said),
  );
  try {
    yield* readBatches(sseBatches(bytes), read);
  } catch (error) {
    throw withHeard(error, answer.heard);
  }
  if (!answer.over) throw cutOff(answer.heard);
}

/** OpenAI's end mark, which some gateways write in place of the last frame: a valid end if the stop reason is known. */
function endByMark(answer: AnthropicAnswer, out: ModelEvent[]): boolean {
  if (answer.stopReason !== undefined) out.push(...withAnswerStart(answer, end(answer)));
  return true;
}

/** Decodes a whole reply, as a stream whose blocks come in one piece. */
export function decodeWhole(body: unknown): ModelEvent[] {
  const message = wholeObject(body);
  const blocks = arrayAt(message, "content");
  if (message["type"] === "error" || (!blocks && isComplaint(message))) throw errorInside(message);
  if (!blocks)
    throw new ModelError("malformed", "The provider's answer has no content.", { advice: "Try again." });
  const frames: Record<string, unknown>[] = [
    { type: "message_start", message },
    ...blocks.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: block },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: message["stop_reason"] } },
    { type: "message_stop" },
  ];
  const answer = newAnswer();
  return frames.flatMap((frame) => withAnswerStart(answer, step(answer, frame)));
}

function withAnswerStart(answer: AnthropicAnswer, events: ModelEvent[]): ModelEvent[] {
  if (answer.heard || events.length === 0) return events;
  answer.heard = true;
  return [{ type: "answer-start", model: answer.model }, ...events];
}

function step(answer: AnthropicAnswer, frame: Record<string, unknown>): ModelEvent[] {
  switch (frame["type"]) {
    case "message_start":
      return start(answer, objectAt(frame, "message"));
    case "content_block_start":
      return startBlock(answer, frame);
    case "content_block_delta":
      return answer.waiting ? [...release(answer), ...delta(answer, frame)] : delta(answer, frame);
    case "content_block_stop":
      return [...release(answer), ...endBlock(answer, placeOf(answer, frame))];
    case "message_delta":
      return messageDelta(answer, frame);
    case "message_stop":
      return end(answer);
    case "error":
      throw errorInside(frame);
    default:
      if (isComplaint(frame)) throw errorInside(frame);
      return [];
  }
}

/** Gateways write errors without a type. */
const isComplaint = ({ error }: Record<string, unknown>): boolean =>
  isObject(error) || (typeof error === "string" && error !== "");

/** The index of a frame's block; if a gateway omits it, that of the block begun last. */
const placeOf = (answer: AnthropicAnswer, frame: Record<string, unknown>): number =>
  numberAt(frame, "index") ?? [...answer.open.keys()].at(-1) ?? 0;

/** Some gateways repeat the start event; a start with a different id means that two answers are mixed up. */
function start(answer: AnthropicAnswer, message: Record<string, unknown> | undefined): ModelEvent[] {
  const id = stringAt(message, "id");
  if (answer.id !== undefined && id !== undefined && id !== answer.id)
    throw new ModelError("malformed", "The provider mixed two answers in one stream.", {
      advice: "Try again.",
      fault: "stream_error",
    });
  answer.id ??= id;
  answer.model = stringAt(message, "model") ?? answer.model;
  count(answer, objectAt(message, "usage"));
  return [];
}

function startBlock(answer: AnthropicAnswer, frame: Record<string, unknown>): ModelEvent[] {
  const index = numberAt(frame, "index") ?? -1;
  const said = objectAt(frame, "content_block") ?? {};
  const open = answer.open.get(index);
  if (open?.kind === "call" && open.id === said["id"]) return takeRepeat(open, said);
  const before = [...release(answer), ...endThinking(answer), ...endBlock(answer, index)];
  const block = newBlock(answer, said);
  answer.open.set(index, block);
  if (block.kind === "call") return [...before, { type: "call-start", id: block.id, name: block.name }];
  if (block.kind === "text") return [...before, ...textDelta(answer, said)];
  return block.kind === "thinking" ? [...before, ...thoughtEvents(block, said)] : before;
}

/** Some gateways begin a block twice: it is one call, whose input may come with either start. */
function takeRepeat(block: ToolUseBlock, said: Record<string, unknown>): ModelEvent[] {
  if (!hasInput(block)) block.input = said["input"];
  return [];
}

function newBlock(answer: AnthropicAnswer, said: Record<string, unknown>): AnswerBlock {
  switch (said["type"]) {
    case "text":
      return { kind: "text" };
    case "thinking":
      return { kind: "thinking", texts: [], signature: [] };
    case "redacted_thinking":
      return { kind: "redacted", block: copyOf(said) };
    case "tool_use":
      return {
        kind: "call",
        id: newId(answer, stringAt(said, "id")),
        name: stringAt(said, "name") ?? "",
        pieces: [],
        input: said["input"],
      };
    default:
      return { kind: "other" };
  }
}

function newId(answer: AnthropicAnswer, given: string | undefined): string {
  const id = given === undefined || given === "" || answer.ids.has(given) ? makeId("toolu") : given;
  answer.ids.add(id);
  return id;
}

function delta(answer: AnthropicAnswer, frame: Record<string, unknown>): ModelEvent[] {
  const said = objectAt(frame, "delta") ?? {};
  const block = answer.open.get(placeOf(answer, frame));
  if (block?.kind === "thinking") return thoughtEvents(block, said);
  if (block?.kind === "call") return argumentsDelta(block, said["partial_json"]);
  if (block?.kind === "text") return textDelta(answer, said);
  if (block) return [];
  if (said["type"] === "input_json_delta")
    throw new ModelError("malformed", "The provider sent arguments of a call that it never began.", {
      advice: "Try again.",
      fault: "stream_error",
    });
  return textDelta(answer, said);
}

function textDelta(answer: AnthropicAnswer, said: Record<string, unknown>): ModelEvent[] {
  const text = stringAt(said, "text") ?? "";
  answer.spoke ||= text.trim() !== "";
  return text === "" ? [] : [{ type: "text-delta", text }];
}

function thoughtEvents(
  block: Extract<AnswerBlock, { kind: "thinking" }>,
  said: Record<string, unknown>,
): ModelEvent[] {
  const text = stringAt(said, "thinking") ?? "";
  const signature = stringAt(said, "signature") ?? "";
  if (signature !== "") block.signature.push(signature);
  if (text === "") return [];
  block.texts.push(text);
  return [{ type: "reasoning-delta", text }];
}

/** Proxies that parse the input send it as an object. */
function argumentsDelta(block: ToolUseBlock, piece: unknown): ModelEvent[] {
  const json = isObject(piece) ? JSON.stringify(piece) : piece;
  if (typeof json !== "string" || json === "") return [];
  block.pieces.push(json);
  return [{ type: "call-delta", id: block.id, json }];
}

/** Some gateways forget to stop a thinking block: it ends when anything else begins. */
function endThinking(answer: AnthropicAnswer): ModelEvent[] {
  const thinking = [...answer.open].filter(([, block]) => block.kind === "thinking");
  return thinking.flatMap(([index]) => endBlock(answer, index));
}

function endBlock(answer: AnthropicAnswer, index: number): ModelEvent[] {
  const block = answer.open.get(index);
  answer.open.delete(index);
  if (block?.kind === "thinking") return reasoningEnd(block);
  if (block?.kind === "redacted") return [{ type: "reasoning-end", state: stateOf(block.block) }];
  if (block?.kind !== "call") return [];
  answer.called = true;
  const call = callOf(block);
  if (call.problem === undefined && (block.pieces.length > 0 || hasInput(block)))
    return [{ type: "call-end", call }];
  answer.waiting = block;
  return [];
}

const hasInput = (block: ToolUseBlock): boolean =>
  isObject(block.input)
    ? Object.keys(block.input).length > 0
    : typeof block.input === "string" && block.input !== "";

function reasoningEnd({ texts, signature }: Extract<AnswerBlock, { kind: "thinking" }>): ModelEvent[] {
  if (signature.length > 0) {
    const block = { type: "thinking", thinking: texts.join(""), signature: signature.join("") };
    return [{ type: "reasoning-end", state: stateOf(block) }];
  }
  return texts.length > 0 ? [{ type: "reasoning-end" }] : [];
}

/** Some gateways put the whole input into the start of the block and send no deltas. */
function callOf({ id, name, pieces, input }: ToolUseBlock, cut?: string): ToolCall {
  const written = pieces.join("");
  const given = written.trim() === "" ? input : written;
  const raw = typeof given === "string" ? given : "";
  const call = { id, name, source: "native" };
  if (cut !== undefined) return { ...call, ...cutArguments(raw, cut) };
  return { ...call, ...(name === "" ? namelessCall(raw) : readArguments(given)) };
}

function release(answer: AnthropicAnswer, cut?: string): ModelEvent[] {
  const block = answer.waiting;
  answer.waiting = undefined;
  return block ? [{ type: "call-end", call: callOf(block, cut) }] : [];
}

function messageDelta(answer: AnthropicAnswer, frame: Record<string, unknown>): ModelEvent[] {
  count(answer, objectAt(frame, "usage"));
  answer.stopReason = stringAt(objectAt(frame, "delta"), "stop_reason") ?? answer.stopReason;
  return answer.stopReason === undefined ? [] : endAll(answer);
}

/** Ends blocks that a gateway forgot to stop; if the answer was cut off, the last one is incomplete. */
function endAll(answer: AnthropicAnswer): ModelEvent[] {
  const reason = reasonOf(answer);
  const cut = cuts[reason];
  const events = release(answer, reason === "length" ? cut : undefined);
  const last = [...answer.open.keys()].at(-1);
  for (const index of answer.open.keys()) {
    const block = answer.open.get(index);
    if (block?.kind === "call" && index === last && cut !== undefined) {
      answer.open.delete(index);
      answer.called = true;
      events.push({ type: "call-end", call: callOf(block, cut) });
    } else events.push(...endBlock(answer, index), ...release(answer));
  }
  return events;
}

/** Why an unfinished call must not be run. */
const cuts: Partial<Record<EndReason, string>> = {
  length: "The answer reached its length limit before the arguments were written.",
  refusal: "The answer was stopped by the provider's content filter.",
};

function end(answer: AnthropicAnswer): ModelEvent[] {
  const events = endAll(answer);
  if (answer.stopReason === "tool_use" && !answer.called && !answer.spoke) throw emptyToolUse(answer.heard);
  answer.over = true;
  const usage = usageOf(answer.usage);
  if (usage) events.push({ type: "usage", usage });
  return [...events, { type: "answer-end", reason: reasonOf(answer) }];
}

function reasonOf(answer: AnthropicAnswer): EndReason {
  switch (answer.stopReason) {
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "refusal":
      return "refusal";
    default:
      return answer.called ? "tool-calls" : "stop";
  }
}

const counted = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
] as const;

/** Counts are cumulative, and some gateways send zeros at either end of the stream: the largest is used. */
function count(answer: AnthropicAnswer, usage: Record<string, unknown> | undefined): void {
  const thinking = numberAt(objectAt(usage, "output_tokens_details"), "thinking_tokens");
  const said = [
    ...counted.map((key) => [key, numberAt(usage, key)] as const),
    ["thinking", thinking] as const,
  ];
  for (const [key, tokens] of said)
    if (tokens !== undefined) answer.usage[key] = Math.max(tokens, answer.usage[key] ?? 0);
}

/** Anthropic's `input_tokens` excludes the cached parts of the prompt; ours includes them. */
function usageOf(said: Record<string, number>): Usage | undefined {
  if (Object.keys(said).length === 0) return undefined;
  const cacheReadTokens = said["cache_read_input_tokens"];
  const cacheWriteTokens = said["cache_creation_input_tokens"];
  return {
    inputTokens: (said["input_tokens"] ?? 0) + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0),
    outputTokens: said["output_tokens"] ?? 0,
    ...present({ cacheReadTokens, cacheWriteTokens, reasoningTokens: said["thinking"] }),
  };
}
