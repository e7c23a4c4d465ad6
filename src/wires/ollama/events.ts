/** Decodes Ollama's answers, streamed or whole, into model events. */

import { isObject } from "../../base/json.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import { ModelError, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import { AnswerReader, readAnswer } from "../answer-reader.ts";
import {
  arrayAt,
  asJson,
  namelessCall,
  numberAt,
  objectAt,
  readArguments,
  stringAt,
  wholeObject,
  type ParsedArguments,
} from "../fields.ts";
import { frameParser } from "../frames.ts";
import { ndjsonBatches } from "../framing.ts";
import { FrameJoiner, onlyEntry, type PieceOf } from "../joint-frames.ts";
import { errorOf, errorText } from "./errors.ts";

/** Decodes a stream of https://docs.ollama.com/api/chat: each line has a piece of the message, the last says `done`. */
export function decodeBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ModelEvent[]> {
  const answer = new AnswerReader();
  const parse = frameParser();
  const read = (text: string): boolean => {
    const line = parse(text);
    if (line) step(answer, line);
    return false;
  };
  return readAnswer(ndjsonBatches(bytes, new FrameJoiner(pieceOf).texts), { answer, read });
}

/** The piece of a line that is not the last. */
const pieceOf: PieceOf = ({ message, done }) => {
  const [field, text] = onlyEntry(message, ["role"]) ?? [];
  return done !== true && (field === "content" || field === "thinking") ? { text } : undefined;
};

/** Decodes a whole reply, which is a single complete line. */
export function decodeWhole(body: unknown): ModelEvent[] {
  const line = wholeObject(body);
  if (errorText(line) === undefined && !objectAt(line, "message"))
    throw new ModelError("malformed", "The provider's answer has no message.", { advice: "Try again." });
  const answer = new AnswerReader();
  step(answer, { ...line, done: true });
  return answer.take();
}

function step(answer: AnswerReader, line: Record<string, unknown>): void {
  const failure = errorText(line);
  if (failure !== undefined) throw errorOf(failure, { fault: "stream_error" });
  answer.model ||= stringAt(line, "model") ?? "";
  readMessage(answer, objectAt(line, "message"));
  if (line["done"] === true) end(answer, line);
}

function readMessage(answer: AnswerReader, message: Record<string, unknown> | undefined): void {
  const thinking = stringAt(message, "thinking") ?? "";
  const text = stringAt(message, "content") ?? "";
  const calls = arrayAt(message, "tool_calls") ?? [];
  if (thinking !== "" || text !== "" || calls.length > 0) answer.release();
  answer.think(thinking);
  if (text !== "" || calls.length > 0) answer.endThought();
  answer.text(text);
  for (const call of calls) readCall(answer, call);
}

/** A16: each call object is a whole call. Two equal ones are two calls. */
function readCall(answer: AnswerReader, value: unknown): void {
  const asked = objectAt(value, "function") ?? value;
  answer.release();
  const { id, name } = answer.startCall({ id: stringAt(value, "id"), name: stringAt(asked, "name") });
  const call: ToolCall = { id, name, source: "native", ...argumentsOf(name, asked) };
  if (call.problem === undefined) answer.endCall(call);
  else answer.hold(call);
}

function argumentsOf(name: string, asked: unknown): ParsedArguments {
  const given = isObject(asked) ? asked["arguments"] : undefined;
  return name === ""
    ? namelessCall(given === undefined ? "" : JSON.stringify(asJson(given)))
    : readArguments(given);
}

function end(answer: AnswerReader, line: Record<string, unknown>): void {
  const reason = stringAt(line, "done_reason");
  const isCut = reason === "length";
  answer.release(isCut ? "The answer was cut off at its length limit." : undefined);
  answer.endThought();
  // Ollama itself has no reason "tool_calls", but a server behind it or a proxy in front may.
  answer.end({
    reason: isCut ? "length" : undefined,
    usage: usageOf(line),
    promised: reason === "tool_calls",
  });
}

/** A prompt read entirely from the cache may come without its count. */
function usageOf(line: Record<string, unknown>): Usage | undefined {
  const inputTokens = numberAt(line, "prompt_eval_count");
  const outputTokens = numberAt(line, "eval_count");
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
}
