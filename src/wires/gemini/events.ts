/** Decodes Gemini's replies: each chunk of a stream is a whole GenerateContentResponse with the next parts. */

import type { ToolCall } from "../../protocol/messages.ts";
import { ModelError, type EndReason, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import {
  arrayAt,
  cutArguments,
  makeId,
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
import { cutOff, frameParser, orFailure, readBatches, withHeard } from "../frames.ts";
import { sseBatches } from "../framing.ts";
import { errorInside } from "./errors.ts";
import { partialCall, type PartialCall } from "./partial-call.ts";
import { stateOf } from "./state.ts";

export async function* decodeBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ModelEvent[]> {
  const reply = newReply();
  const parse = frameParser();
  const read = orFailure(
    ({ data }, out) => {
      const chunk = isEndMark(data) ? undefined : parse(data);
      if (chunk) for (const event of take(reply, chunk)) out.push(event);
      return false;
    },
    (said) => errorInside(said, reply.heard),
  );
  try {
    yield* readBatches(sseBatches(bytes), read);
  } catch (error) {
    throw withHeard(error, reply.heard);
  }
  yield [...finish(reply)];
}

/** Proxies add OpenAI's end mark, which may also be cut off. */
const isEndMark = (data: string): boolean => "[DONE]".startsWith(data.trim());

export function decodeWhole(body: unknown): ModelEvent[] {
  const reply = newReply();
  return [...take(reply, wholeObject(body)), ...finish(reply)];
}

/** The state of an answer between two chunks. */
type GeminiAnswer = {
  heard: boolean;
  thinking: boolean;
  called: boolean;
  open: PartialCall | undefined;
  usage: Record<string, unknown>;
  /** The signature of a text or an empty part. */
  signature: string | undefined;
  finishReason: string | undefined;
  finishMessage: string | undefined;
  blocked: boolean;
  model: string;
};

const newReply = (): GeminiAnswer => ({
  heard: false,
  thinking: false,
  called: false,
  open: undefined,
  usage: {},
  signature: undefined,
  finishReason: undefined,
  finishMessage: undefined,
  blocked: false,
  model: "",
});

function* take(reply: GeminiAnswer, chunk: Record<string, unknown>): Generator<ModelEvent> {
  if (objectAt(chunk, "error") || stringAt(chunk, "error")) throw errorInside(chunk, reply.heard);
  reply.model ||= stringAt(chunk, "modelVersion") ?? "";
  // The counts are running totals; a later chunk may omit some of them.
  Object.assign(reply.usage, objectAt(chunk, "usageMetadata"));
  if (stringAt(objectAt(chunk, "promptFeedback"), "blockReason") !== undefined) reply.blocked = true;
  const candidate = arrayAt(chunk, "candidates")?.[0];
  reply.finishReason = stringAt(candidate, "finishReason") ?? reply.finishReason;
  reply.finishMessage = stringAt(candidate, "finishMessage") ?? reply.finishMessage;
  for (const part of arrayAt(objectAt(candidate, "content"), "parts") ?? []) {
    for (const event of takePart(reply, part)) yield* say(reply, event);
  }
}

/** The answer starts with its first content, so that an earlier failure can be retried. */
function* say(reply: GeminiAnswer, event: ModelEvent): Generator<ModelEvent> {
  if (!reply.heard) yield { type: "answer-start", model: reply.model };
  reply.heard = true;
  yield event;
}

function* takePart(reply: GeminiAnswer, part: unknown): Generator<ModelEvent> {
  const text = stringAt(part, "text") ?? "";
  const signature = stringAt(part, "thoughtSignature");
  // A call that the service calls malformed must not run, even if it can be read.
  const call = failures.has(reply.finishReason ?? "") ? undefined : objectAt(part, "functionCall");
  if (isThought(part)) yield* think(reply, text, signature);
  else {
    if (call || text !== "") yield* endThought(reply);
    if (call) yield* takeCall(reply, call, signature);
    else reply.signature = signature ?? reply.signature;
    if (text !== "") yield { type: "text-delta", text };
  }
}

const isThought = (part: unknown): boolean =>
  typeof part === "object" && part !== null && "thought" in part && part.thought === true;

function* think(reply: GeminiAnswer, text: string, signature: string | undefined): Generator<ModelEvent> {
  if (text === "" && signature === undefined) yield* endThought(reply);
  if (text !== "") yield { type: "reasoning-delta", text };
  if (signature !== undefined) yield { type: "reasoning-end", state: stateOf(signature) };
  reply.thinking = text !== "" && signature === undefined;
}

function* endThought(reply: GeminiAnswer): Generator<ModelEvent> {
  if (reply.thinking) yield { type: "reasoning-end" };
  reply.thinking = false;
}

/**
 * A call comes whole, or opens with `willContinue` and ends with the first nameless part without it, which may be empty
 * or hold the last value (Vertex, `streamFunctionCallArguments`).
 */
function* takeCall(
  reply: GeminiAnswer,
  said: Record<string, unknown>,
  signature: string | undefined,
): Generator<ModelEvent> {
  const name = stringAt(said, "name") ?? "";
  const values = arrayAt(said, "partialArgs");
  const goesOn = said["willContinue"] === true;
  if (name !== "" || said["args"] !== undefined) {
    yield* breakOff(reply);
    const id = stringAt(said, "id") || makeId("call");
    reply.called = true;
    yield { type: "call-start", id, name };
    if (goesOn || values) reply.open = partialCall(id, name);
    else yield* endCall({ id, name, ...wholeArguments(name, said["args"]) }, signature);
  }
  const open = reply.open;
  if (!open) return;
  open.take(values ?? []);
  open.signature = signature ?? open.signature;
  if (goesOn) return;
  reply.open = undefined;
  yield* endCall({ id: open.id, name: open.name, ...open.read() }, open.signature);
}

const wholeArguments = (name: string, args: unknown): ParsedArguments =>
  name === "" ? namelessCall(JSON.stringify(asJson(args))) : readArguments(args);

/** The next call or the end of the answer came before the open call ended: it is never run. */
function* breakOff(reply: GeminiAnswer): Generator<ModelEvent> {
  const open = reply.open;
  if (!open) return;
  reply.open = undefined;
  const { input, rawArguments } = open.read();
  const raw = rawArguments ?? JSON.stringify(input);
  const cut = cutArguments(raw, "The arguments were cut off before their end.");
  yield* endCall({ id: open.id, name: open.name, ...cut }, open.signature);
}

function* endCall(read: Omit<ToolCall, "source">, signature: string | undefined): Generator<ModelEvent> {
  yield { type: "call-delta", id: read.id, json: read.rawArguments ?? JSON.stringify(read.input) };
  const call: ToolCall = { ...read, source: "native" };
  yield { type: "call-end", call: signature === undefined ? call : { ...call, state: stateOf(signature) } };
}

function* finish(reply: GeminiAnswer): Generator<ModelEvent> {
  // The format has no end mark: only the finish reason tells a whole answer from a cut one.
  if (reply.finishReason === undefined && !reply.blocked) throw cutOff(reply.heard);
  if (failures.has(reply.finishReason ?? "")) throw malformedCall(reply);
  for (const event of [...breakOff(reply), ...endThought(reply), ...ending(reply)]) yield* say(reply, event);
}

function* ending(reply: GeminiAnswer): Generator<ModelEvent> {
  const usage = usageOf(reply.usage);
  if (usage) yield { type: "usage", usage };
  const reason = reasonOf(reply);
  yield reply.signature === undefined
    ? { type: "answer-end", reason }
    : { type: "answer-end", reason, state: stateOf(reply.signature) };
}

/** `finishReason` is STOP with calls, too; a blocked prompt has none. */
function reasonOf(reply: GeminiAnswer): EndReason {
  const said = reply.finishReason ?? "";
  if (lengths.has(said)) return "length";
  if (refusals.has(said) || (said === "" && reply.blocked)) return "refusal";
  return reply.called ? "tool-calls" : "stop";
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
  const usage: Usage = {
    inputTokens: (input ?? 0) + (numberAt(counts, "toolUsePromptTokenCount") ?? 0),
    outputTokens: (output ?? 0) + (thoughts ?? 0),
  };
  if (cached !== undefined) usage.cacheReadTokens = cached;
  if (thoughts !== undefined) usage.reasoningTokens = thoughts;
  return usage;
}
