/** Encodes Gemini's replies: chunks of a stream, or one whole GenerateContentResponse. */

import type { JsonObject } from "../../base/json.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import type { EndReason, ModelEvent, Usage } from "../../protocol/model-events.ts";
import { streamAnswer } from "../answer-stream.ts";
import { makeId } from "../fields.ts";
import { writeSse } from "../framing.ts";
import { thoughtsTold, unreadable } from "../gather.ts";
import { encodeError } from "./errors.ts";
import { signatureOf } from "./state.ts";

/**
 * A ModelError becomes the last chunk, as in the service; before the first chunk it is rethrown, so that it can become
 * an HTTP reply. All other errors pass through to the caller.
 */
export function encodeEvents(events: AsyncIterable<ModelEvent>): AsyncGenerator<string> {
  const writing = newWriting();
  return streamAnswer(events, {
    write: (event) => chunksOf(writing, event).map(frame),
    failed: (error) => frame(encodeError(error).body),
  });
}

const frame = (data: unknown): string => writeSse(JSON.stringify(data));

function chunksOf(writing: GeminiWriter, event: ModelEvent): JsonObject[] {
  const parts = partsOf(writing, event);
  if (event.type === "answer-end") return [chunk(writing, parts, endOf(writing, event.reason))];
  return parts.length === 0 && event.type !== "withheld" ? [] : [chunk(writing, parts, {})];
}

export function encodeWhole(events: readonly ModelEvent[]): JsonObject {
  const writing = newWriting();
  let ending: ChunkEnding = {};
  const parts: JsonObject[] = [];
  for (const event of thoughtsTold(events)) {
    for (const part of partsOf(writing, event)) if (!joinTexts(parts.at(-1), part)) parts.push(part);
    if (event.type === "answer-end") ending = endOf(writing, event.reason);
  }
  return chunk(writing, parts, ending);
}

/** The state that a chunk needs from earlier events. */
type GeminiWriter = {
  responseId: string;
  model: string;
  usage: Usage | undefined;
  /** Calls in the order they began; a part is written only when its call and those before it are complete. */
  calls: { id: string; call: ToolCall | undefined }[];
  thoughtEnded: boolean;
};

const newWriting = (): GeminiWriter => ({
  responseId: makeId("resp"),
  model: "",
  usage: undefined,
  calls: [],
  thoughtEnded: false,
});

type ChunkEnding = { finishReason?: string; usageMetadata?: JsonObject };

function chunk(
  writing: GeminiWriter,
  parts: JsonObject[],
  { finishReason, usageMetadata }: ChunkEnding,
): JsonObject {
  const candidate: JsonObject = { content: { role: "model", parts }, index: 0 };
  if (finishReason !== undefined) candidate["finishReason"] = finishReason;
  const body: JsonObject = {
    candidates: [candidate],
    modelVersion: writing.model,
    responseId: writing.responseId,
  };
  return usageMetadata ? { ...body, usageMetadata } : body;
}

function partsOf(writing: GeminiWriter, event: ModelEvent): JsonObject[] {
  switch (event.type) {
    case "answer-start":
      writing.model = event.model;
      return [];
    case "text-delta":
      return event.text === "" ? [] : [{ text: event.text }];
    case "reasoning-delta":
      return thoughtParts(writing, event.text);
    case "reasoning-end":
      return thoughtEnd(writing, signatureOf(event.state));
    case "call-start":
      writing.calls.push({ id: event.id, call: undefined });
      return [];
    case "call-end":
      return completedParts(writing, event.call);
    case "usage":
      writing.usage = event.usage;
      return [];
    case "answer-end":
      return signatureParts(signatureOf(event.state));
    case "call-delta":
    case "notice":
    case "text-was-reasoning":
    case "withheld":
    case "retrying":
      return [];
    default:
      return event satisfies never;
  }
}

/** Thoughts have no end mark: an empty one separates two blocks. */
function thoughtParts(writing: GeminiWriter, text: string): JsonObject[] {
  if (text === "") return [];
  const apart = writing.thoughtEnded ? [{ text: "", thought: true }] : [];
  writing.thoughtEnded = false;
  return [...apart, { text, thought: true }];
}

function thoughtEnd(writing: GeminiWriter, signature: string | undefined): JsonObject[] {
  writing.thoughtEnded = signature === undefined;
  return signature === undefined ? [] : [{ text: "", thought: true, thoughtSignature: signature }];
}

const signatureParts = (signature: string | undefined): JsonObject[] =>
  signature === undefined ? [] : [{ text: "", thoughtSignature: signature }];

function completedParts(writing: GeminiWriter, call: ToolCall): JsonObject[] {
  const waiting = writing.calls.find((open) => open.id === call.id && !open.call);
  if (waiting) waiting.call = call;
  else writing.calls.push({ id: call.id, call });
  const parts: JsonObject[] = [];
  for (let first = writing.calls[0]?.call; first; first = writing.calls[0]?.call) {
    parts.push(callPart(first));
    writing.calls.shift();
  }
  return parts;
}

function callPart(call: ToolCall): JsonObject {
  // A client could run `{}`: a call that must not run has a text in place of its arguments.
  const args = call.problem === undefined ? call.input : unreadable(call);
  const part: JsonObject = { functionCall: { id: call.id, name: call.name, args } };
  const signature = signatureOf(call.state);
  return signature === undefined ? part : { ...part, thoughtSignature: signature };
}

function endOf(writing: GeminiWriter, reason: EndReason): ChunkEnding {
  const finishReason = { stop: "STOP", "tool-calls": "STOP", length: "MAX_TOKENS", refusal: "SAFETY" }[
    reason
  ];
  return writing.usage ? { finishReason, usageMetadata: countsOf(writing.usage) } : { finishReason };
}

function countsOf(usage: Usage): JsonObject {
  const counts: JsonObject = {
    promptTokenCount: usage.inputTokens,
    candidatesTokenCount: usage.outputTokens - (usage.reasoningTokens ?? 0),
    totalTokenCount: usage.inputTokens + usage.outputTokens,
  };
  if (usage.reasoningTokens !== undefined) counts["thoughtsTokenCount"] = usage.reasoningTokens;
  if (usage.cacheReadTokens !== undefined) counts["cachedContentTokenCount"] = usage.cacheReadTokens;
  return counts;
}

/** In whole replies, adjacent texts of one kind are merged into one part until it has a signature. */
function joinTexts(last: JsonObject | undefined, next: JsonObject): boolean {
  if (typeof last?.["text"] !== "string" || typeof next["text"] !== "string") return false;
  if (last["thought"] !== next["thought"] || "thoughtSignature" in last) return false;
  // The empty thought that separates two blocks must stay.
  if (
    next["thought"] === true &&
    !("thoughtSignature" in next) &&
    (last["text"] === "" || next["text"] === "")
  )
    return false;
  last["text"] += next["text"];
  if (next["thoughtSignature"] !== undefined) last["thoughtSignature"] = next["thoughtSignature"];
  return true;
}
