/** Decodes Gemini's replies: each chunk of a stream is a whole GenerateContentResponse with the next parts. */

import type { ToolCall } from "../../protocol/messages.ts";
import { ModelError, type EndReason, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import { AnswerReader, readAnswer } from "../answer-reader.ts";
import {
  arrayAt,
  cutArguments,
  namelessCall,
  numberAt,
  objectAt,
  oneLine,
  readArguments,
  stringAt,
  wholeObject,
  asJson,
  sentence,
  type ParsedArguments,
} from "../fields.ts";
import { cutOff, frameParser, orFailure } from "../frames.ts";
import { sseBatches } from "../framing.ts";
import { FrameJoiner, onlyEntry, type PieceOf } from "../joint-frames.ts";
import { errorInside } from "./errors.ts";
import { partialCall, type PartialCall } from "./partial-call.ts";
import { stateOf } from "./state.ts";

export function decodeBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ModelEvent[]> {
  const reply = new GeminiAnswer();
  const parse = frameParser();
  const read = orFailure(
    ({ data }) => {
      const chunk = isEndMark(data) ? undefined : parse(data);
      if (chunk) take(reply, chunk);
      return false;
    },
    (said) => errorInside(said, reply.heard),
  );
  const batches = sseBatches(bytes, new FrameJoiner(pieceOf).events);
  return readAnswer(batches, { answer: reply, read, finish: () => finish(reply) });
}

/** The piece of a chunk with one part and no end. */
const pieceOf: PieceOf = (chunk) => {
  const candidate = arrayAt(chunk, "candidates")?.[0];
  const [part, ...more] = arrayAt(objectAt(candidate, "content"), "parts") ?? [];
  const [field, text] = onlyEntry(part, ["thought"]) ?? [];
  const isPiece = more.length === 0 && field === "text" && stringAt(candidate, "finishReason") === undefined;
  return isPiece ? { text } : undefined;
};

/** Proxies add OpenAI's end mark, which may also be cut off. */
const isEndMark = (data: string): boolean => "[DONE]".startsWith(data.trim());

export function decodeWhole(body: unknown): ModelEvent[] {
  const reply = new GeminiAnswer();
  take(reply, wholeObject(body));
  finish(reply);
  return reply.take();
}

class GeminiAnswer extends AnswerReader {
  open: PartialCall | undefined;
  readonly usage: Record<string, unknown> = {};
  /** The signature of a text or an empty part. */
  signature: string | undefined;
  finishReason: string | undefined;
  finishMessage: string | undefined;
  blocked = false;
}

function take(reply: GeminiAnswer, chunk: Record<string, unknown>): void {
  if (objectAt(chunk, "error") || stringAt(chunk, "error")) throw errorInside(chunk, reply.heard);
  reply.model ||= stringAt(chunk, "modelVersion") ?? "";
  // The counts are running totals; a later chunk may omit some of them.
  Object.assign(reply.usage, objectAt(chunk, "usageMetadata"));
  if (stringAt(objectAt(chunk, "promptFeedback"), "blockReason") !== undefined) reply.blocked = true;
  const candidate = arrayAt(chunk, "candidates")?.[0];
  reply.finishReason = stringAt(candidate, "finishReason") ?? reply.finishReason;
  reply.finishMessage = stringAt(candidate, "finishMessage") ?? reply.finishMessage;
  for (const part of arrayAt(objectAt(candidate, "content"), "parts") ?? []) takePart(reply, part);
}

function takePart(reply: GeminiAnswer, part: unknown): void {
  const text = stringAt(part, "text") ?? "";
  const signature = stringAt(part, "thoughtSignature");
  // A call that the service calls malformed must not run, even if it can be read.
  const call = failures.has(reply.finishReason ?? "") ? undefined : objectAt(part, "functionCall");
  if (isThought(part)) {
    reply.think(text);
    if (text === "" || signature !== undefined) reply.endThought(keptSignature(signature));
    return;
  }
  if (call || text !== "") reply.endThought();
  if (call) takeCall(reply, call, signature);
  else reply.signature = signature ?? reply.signature;
  reply.text(text);
}

const keptSignature = (signature: string | undefined): ToolCall["state"] =>
  signature === undefined ? undefined : stateOf(signature);

const isThought = (part: unknown): boolean =>
  typeof part === "object" && part !== null && "thought" in part && part.thought === true;

/**
 * A call comes whole, or opens with `willContinue` and ends with the first nameless part without it, which may be empty
 * or hold the last value (Vertex, `streamFunctionCallArguments`).
 */
function takeCall(reply: GeminiAnswer, said: Record<string, unknown>, signature: string | undefined): void {
  const values = arrayAt(said, "partialArgs");
  const goesOn = said["willContinue"] === true;
  if (stringAt(said, "name") || said["args"] !== undefined) {
    breakOff(reply);
    const { id, name } = reply.startCall({ id: stringAt(said, "id"), name: stringAt(said, "name") });
    if (goesOn || values) reply.open = partialCall(id, name);
    else endCall(reply, { id, name, ...wholeArguments(name, said["args"]) }, signature);
  }
  const open = reply.open;
  if (!open) return;
  open.take(values ?? []);
  open.signature = signature ?? open.signature;
  if (goesOn) return;
  reply.open = undefined;
  endCall(reply, { id: open.id, name: open.name, ...open.read() }, open.signature);
}

const wholeArguments = (name: string, args: unknown): ParsedArguments =>
  name === "" ? namelessCall(JSON.stringify(asJson(args))) : readArguments(args);

/** The next call or the end of the answer came before the open call ended: it is never run. */
function breakOff(reply: GeminiAnswer): void {
  const open = reply.open;
  if (!open) return;
  reply.open = undefined;
  const { input, rawArguments } = open.read();
  const raw = rawArguments ?? JSON.stringify(input);
  const cut = cutArguments(raw, "The arguments were cut off before their end.");
  endCall(reply, { id: open.id, name: open.name, ...cut }, open.signature);
}

function endCall(reply: GeminiAnswer, read: Omit<ToolCall, "source">, signature: string | undefined): void {
  const call: ToolCall = { ...read, source: "native" };
  reply.piece(call.id, read.rawArguments ?? JSON.stringify(read.input));
  reply.endCall(signature === undefined ? call : { ...call, state: stateOf(signature) });
}

function finish(reply: GeminiAnswer): void {
  // The format has no end mark: only the finish reason tells a whole answer from a cut one.
  if (reply.finishReason === undefined && !reply.blocked) throw cutOff(reply.heard);
  if (failures.has(reply.finishReason ?? "")) throw malformedCall(reply);
  breakOff(reply);
  reply.endThought();
  reply.end({
    reason: reasonOf(reply),
    usage: usageOf(reply.usage),
    state: keptSignature(reply.signature),
  });
}

/** `finishReason` is STOP with calls, too; a blocked prompt has none. */
function reasonOf(reply: GeminiAnswer): EndReason | undefined {
  const said = reply.finishReason ?? "";
  if (lengths.has(said)) return "length";
  if (refusals.has(said) || (said === "" && reply.blocked)) return "refusal";
  return undefined;
}

const lengths = new Set(["MAX_TOKENS", "CONTINUATION"]);
const refusals = new Set([
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "MODEL_ARMOR",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
]);

/** The model wrote a call that the service could not read or did not allow; there is no usable part. */
const failures = new Set([
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "MALFORMED_RESPONSE",
]);

function malformedCall(reply: GeminiAnswer): ModelError {
  const said = reply.finishMessage ? `: ${sentence(oneLine(reply.finishMessage, 200))}` : ".";
  const message = `The model wrote a call that Gemini could not read (${reply.finishReason})${said}`;
  return new ModelError("malformed", message, {
    advice: "Try again, with plain JSON arguments.",
    midStream: reply.heard,
    fault: "malformed_by_provider",
  });
}

function usageOf(counts: Record<string, unknown>): Usage | undefined {
  const input = numberAt(counts, "promptTokenCount");
  const output = numberAt(counts, "candidatesTokenCount");
  const thoughts = numberAt(counts, "thoughtsTokenCount");
  if (input === undefined && output === undefined && thoughts === undefined) return undefined;
  const cached = numberAt(counts, "cachedContentTokenCount");
  return {
    inputTokens: (input ?? 0) + (numberAt(counts, "toolUsePromptTokenCount") ?? 0),
    outputTokens: (output ?? 0) + (thoughts ?? 0),
    cacheReadTokens: cached,
    reasoningTokens: thoughts,
  };
}
