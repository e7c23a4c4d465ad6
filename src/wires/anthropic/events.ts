/** Decodes Anthropic's answers, streamed or whole, into model events. */

import { isObject, type JsonObject } from "../../base/json.ts";
import { ModelError, type EndReason, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import { AnswerReader, readAnswer, strayArguments, type GatheredCall } from "../answer-reader.ts";
import { arrayAt, copyOf, damagedStream, numberAt, objectAt, stringAt, wholeObject } from "../fields.ts";
import { frameParser, orFailure } from "../frames.ts";
import { sseBatches } from "../framing.ts";
import { FrameJoiner, onlyEntry, type PieceOf } from "../joint-frames.ts";
import { endsStream } from "../openai-chat/errors.ts";
import { errorInside } from "./errors.ts";
import { stateOf } from "./state.ts";

type AnswerBlock =
  | { kind: "text" }
  | { kind: "thinking"; texts: string[]; signature: string[] }
  | { kind: "redacted"; block: JsonObject }
  | { kind: "call"; call: GatheredCall }
  /** Server tools and what is not known yet: not ours, and not shown. */
  | { kind: "other" };

class AnthropicAnswer extends AnswerReader {
  id: string | undefined;
  readonly open = new Map<number, AnswerBlock>();
  stopReason: string | undefined;
  readonly usage: Record<string, number> = {};
}

/** Decodes a stream of https://platform.claude.com/docs/en/build-with-claude/streaming. */
export function decodeBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ModelEvent[]> {
  const answer = new AnthropicAnswer();
  const parse = frameParser();
  const read = orFailure(
    ({ event, data }) => {
      if (endsStream(data)) return endByMark(answer);
      const frame = parse(data);
      // Some gateways name the event only in the SSE frame, not in its data.
      if (frame) frame["type"] ??= event;
      if (frame) step(answer, frame);
      return false;
    },
    (said) => errorInside(said),
  );
  return readAnswer(sseBatches(bytes, new FrameJoiner(pieceOf).events), { answer, read });
}

/** The piece of a delta. */
const pieceOf: PieceOf = (frame) => {
  const [field = "", text] = onlyEntry(frame["delta"], ["type"]) ?? [];
  return frame["type"] === "content_block_delta" && pieceFields.has(field) ? { text } : undefined;
};

const pieceFields = new Set(["text", "thinking", "partial_json"]);

/** OpenAI's end mark, which some gateways write in place of the last frame: a valid end if the stop reason is known. */
function endByMark(answer: AnthropicAnswer): boolean {
  if (answer.stopReason !== undefined) end(answer);
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
  const answer = new AnthropicAnswer();
  for (const frame of frames) step(answer, frame);
  return answer.take();
}

function step(answer: AnthropicAnswer, frame: Record<string, unknown>): void {
  switch (frame["type"]) {
    case "message_start":
      return start(answer, objectAt(frame, "message"));
    case "content_block_start":
      return startBlock(answer, frame);
    case "content_block_delta":
      answer.release();
      return delta(answer, frame);
    case "content_block_stop":
      answer.release();
      return endBlock(answer, blockIndex(answer, frame));
    case "message_delta":
      return messageDelta(answer, frame);
    case "message_stop":
      return end(answer);
    default:
      if (frame["type"] === "error" || isComplaint(frame)) throw errorInside(frame);
  }
}

/** Gateways write errors without a type. */
const isComplaint = ({ error }: Record<string, unknown>): boolean =>
  isObject(error) || (typeof error === "string" && error !== "");

/** The index of a frame's block; if a gateway omits it, that of the block begun last. */
const blockIndex = (answer: AnthropicAnswer, frame: Record<string, unknown>): number =>
  numberAt(frame, "index") ?? [...answer.open.keys()].at(-1) ?? 0;

/** Some gateways repeat the start event; a start with a different id means that two answers are mixed up. */
function start(answer: AnthropicAnswer, message: Record<string, unknown> | undefined): void {
  const id = stringAt(message, "id");
  if (answer.id !== undefined && id !== undefined && id !== answer.id)
    throw damagedStream("The provider mixed two answers in one stream.");
  answer.id ??= id;
  answer.model = stringAt(message, "model") ?? answer.model;
  count(answer, objectAt(message, "usage"));
}

function startBlock(answer: AnthropicAnswer, frame: Record<string, unknown>): void {
  const index = numberAt(frame, "index") ?? -1;
  const said = objectAt(frame, "content_block") ?? {};
  const open = answer.open.get(index);
  // Some gateways begin a block twice: it is one call, whose input may come with either start.
  if (open?.kind === "call" && open.call.id === said["id"]) {
    if (!hasInput(open.call)) open.call.input = said["input"];
    return;
  }
  answer.release();
  endThinking(answer);
  endBlock(answer, index);
  const block = newBlock(answer, said);
  answer.open.set(index, block);
  if (block.kind === "text" || block.kind === "thinking") takeText(answer, block, said);
}

const hasInput = ({ input }: GatheredCall): boolean =>
  isObject(input) ? Object.keys(input).length > 0 : typeof input === "string" && input !== "";

function newBlock(answer: AnthropicAnswer, said: Record<string, unknown>): AnswerBlock {
  switch (said["type"]) {
    case "text":
      return { kind: "text" };
    case "thinking":
      return { kind: "thinking", texts: [], signature: [] };
    case "redacted_thinking":
      return { kind: "redacted", block: copyOf(said) };
    case "tool_use": {
      const asked = { id: stringAt(said, "id"), name: stringAt(said, "name"), prefix: "toolu" };
      return { kind: "call", call: { ...answer.startCall(asked), pieces: [], input: said["input"] } };
    }
    default:
      return { kind: "other" };
  }
}

function delta(answer: AnthropicAnswer, frame: Record<string, unknown>): void {
  const said = objectAt(frame, "delta") ?? {};
  const block = answer.open.get(blockIndex(answer, frame));
  if (block?.kind === "call") {
    // Proxies that parse the input send it as an object.
    const piece = said["partial_json"];
    answer.argument(block.call, isObject(piece) ? JSON.stringify(piece) : piece);
  } else if (!block && said["type"] === "input_json_delta") throw strayArguments();
  else takeText(answer, block ?? { kind: "text" }, said);
}

function takeText(answer: AnthropicAnswer, block: AnswerBlock, said: Record<string, unknown>): void {
  if (block.kind === "text") answer.text(stringAt(said, "text") ?? "");
  if (block.kind !== "thinking") return;
  const text = stringAt(said, "thinking") ?? "";
  block.texts.push(text);
  block.signature.push(stringAt(said, "signature") ?? "");
  answer.think(text);
}

/** Some gateways forget to stop a thinking block: it ends when anything else begins. */
function endThinking(answer: AnthropicAnswer): void {
  for (const [index, block] of answer.open) if (block.kind === "thinking") endBlock(answer, index);
}

function endBlock(answer: AnthropicAnswer, index: number): void {
  const block = answer.open.get(index);
  answer.open.delete(index);
  if (block?.kind === "redacted") answer.endThought(stateOf(block.block));
  else if (block?.kind === "call") answer.endGathered(block.call);
  else if (block?.kind === "thinking") {
    const signature = block.signature.join("");
    const thinking = block.texts.join("");
    answer.endThought(signature === "" ? undefined : stateOf({ type: "thinking", thinking, signature }));
  }
}

function messageDelta(answer: AnthropicAnswer, frame: Record<string, unknown>): void {
  count(answer, objectAt(frame, "usage"));
  answer.stopReason = stringAt(objectAt(frame, "delta"), "stop_reason") ?? answer.stopReason;
  if (answer.stopReason !== undefined) endAll(answer);
}

/** Ends blocks that a gateway forgot to stop; if the answer was cut off, the last one is incomplete. */
function endAll(answer: AnthropicAnswer): void {
  const reason = reasonOf(answer);
  const cut = reason && cuts[reason];
  answer.release(reason === "length" ? cut : undefined);
  const last = [...answer.open.keys()].at(-1);
  for (const [index, block] of answer.open) {
    if (block.kind === "call" && index === last && cut !== undefined) {
      answer.open.delete(index);
      answer.endGathered(block.call, cut);
    } else endBlock(answer, index);
    answer.release();
  }
}

/** Why an unfinished call must not be run. */
const cuts: Partial<Record<EndReason, string>> = {
  length: "The answer reached its length limit before the arguments were written.",
  refusal: "The answer was stopped by the provider's content filter.",
};

function end(answer: AnthropicAnswer): void {
  endAll(answer);
  answer.end({
    reason: reasonOf(answer),
    usage: usageOf(answer.usage),
    promised: answer.stopReason === "tool_use",
  });
}

function reasonOf(answer: AnthropicAnswer): EndReason | undefined {
  switch (answer.stopReason) {
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "refusal":
      return "refusal";
    default:
      return undefined;
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
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: said["thinking"],
  };
}
