/** Decodes Ollama's answers, streamed or whole, into model events. */

import { isObject } from "../../base/json.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import { ModelError, type EndReason, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import {
  arrayAt,
  asJson,
  cutArguments,
  makeId,
  namelessCall,
  numberAt,
  objectAt,
  readArguments,
  stringAt,
  wholeObject,
  type ParsedArguments,
} from "../fields.ts";
import { cutOff, emptyToolUse, frameParser, readBatches, withHeard, type ReadFrame } from "../frames.ts";
import { ndjsonBatches } from "../framing.ts";
import { errorOf, errorText } from "./errors.ts";

type OllamaAnswer = {
  heard: boolean;
  thinking: boolean;
  /** Whether any text other than white space was received. */
  spoke: boolean;
  ids: Set<string>;
  /** An unreadable call is held until the next event: a length stop would mean that it was cut off. */
  waiting: ToolCall | undefined;
  over: boolean;
};

const newAnswer = (): OllamaAnswer => ({
  heard: false,
  thinking: false,
  spoke: false,
  ids: new Set(),
  waiting: undefined,
  over: false,
});

/**
 * Decodes a stream of https://docs.ollama.com/api/chat: each line has a piece of the message, the last says `done`.
 * `answer-start` comes with the first content, so that an earlier failure can be retried.
 */
export async function* decodeBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ModelEvent[]> {
  const answer = newAnswer();
  const parse = frameParser();
  const read: ReadFrame<string> = (text, out) => {
    const line = parse(text);
    if (line) out.push(...step(answer, line));
    return answer.over;
  };
  try {
    yield* readBatches(ndjsonBatches(bytes), read);
  } catch (error) {
    throw withHeard(error, answer.heard);
  }
  if (!answer.over) throw cutOff(answer.heard);
}

/** Decodes a whole reply, which is a single complete line. */
export function decodeWhole(body: unknown): ModelEvent[] {
  const line = wholeObject(body);
  if (errorText(line) === undefined && !objectAt(line, "message"))
    throw new ModelError("malformed", "The provider's answer has no message.", { advice: "Try again." });
  return step(newAnswer(), { ...line, done: true });
}

function step(answer: OllamaAnswer, line: Record<string, unknown>): ModelEvent[] {
  const failure = errorText(line);
  if (failure !== undefined) throw errorOf(failure, { fault: "stream_error" });
  const events = messageEvents(answer, objectAt(line, "message"));
  if (line["done"] === true) events.push(...end(answer, line));
  if (answer.heard || events.length === 0) return events;
  answer.heard = true;
  return [{ type: "answer-start", model: stringAt(line, "model") ?? "" }, ...events];
}

function messageEvents(answer: OllamaAnswer, message: Record<string, unknown> | undefined): ModelEvent[] {
  const events: ModelEvent[] = [];
  const thinking = stringAt(message, "thinking") ?? "";
  const text = stringAt(message, "content") ?? "";
  const calls = arrayAt(message, "tool_calls") ?? [];
  if (thinking !== "") events.push({ type: "reasoning-delta", text: thinking });
  answer.thinking ||= thinking !== "";
  if (thinking !== "" || text !== "" || calls.length > 0) events.unshift(...release(answer));
  if (text !== "" || calls.length > 0) events.push(...endThinking(answer));
  if (text !== "") events.push({ type: "text-delta", text });
  answer.spoke ||= text.trim() !== "";
  return [...events, ...calls.flatMap((call) => callEvents(answer, call))];
}

function endThinking(answer: OllamaAnswer): ModelEvent[] {
  if (!answer.thinking) return [];
  answer.thinking = false;
  return [{ type: "reasoning-end" }];
}

/** A16: each call object is a whole call. Two equal ones are two calls. */
function callEvents(answer: OllamaAnswer, value: unknown): ModelEvent[] {
  const asked = objectAt(value, "function") ?? value;
  const name = stringAt(asked, "name") ?? "";
  const given = stringAt(value, "id");
  const id = given === undefined || given === "" || answer.ids.has(given) ? makeId("call") : given;
  answer.ids.add(id);
  const call: ToolCall = { id, name, source: "native", ...argumentsOf(name, asked) };
  const before = release(answer);
  if (call.problem === undefined)
    return [...before, { type: "call-start", id, name }, { type: "call-end", call }];
  answer.waiting = call;
  return [...before, { type: "call-start", id, name }];
}

function argumentsOf(name: string, asked: unknown): ParsedArguments {
  const given = isObject(asked) ? asked["arguments"] : undefined;
  return name === ""
    ? namelessCall(given === undefined ? "" : JSON.stringify(asJson(given)))
    : readArguments(given);
}

function release(answer: OllamaAnswer, cut?: string): ModelEvent[] {
  const call = answer.waiting;
  answer.waiting = undefined;
  if (!call) return [];
  const cutShort = cut === undefined ? {} : cutArguments(call.rawArguments ?? "", cut);
  return [{ type: "call-end", call: { ...call, ...cutShort } }];
}

function end(answer: OllamaAnswer, line: Record<string, unknown>): ModelEvent[] {
  answer.over = true;
  const reason = stringAt(line, "done_reason");
  // Ollama itself has no such reason, but a server behind it or a proxy in front may.
  if (reason === "tool_calls" && answer.ids.size === 0 && !answer.spoke) throw emptyToolUse(answer.heard);
  const usage = usageOf(line);
  return [
    ...release(answer, reason === "length" ? "The answer was cut off at its length limit." : undefined),
    ...endThinking(answer),
    ...(usage ? [{ type: "usage", usage } as const] : []),
    { type: "answer-end", reason: reasonOf(answer, reason) },
  ];
}

function reasonOf(answer: OllamaAnswer, doneReason: string | undefined): EndReason {
  if (doneReason === "length") return "length";
  return answer.ids.size > 0 ? "tool-calls" : "stop";
}

/** A prompt read entirely from the cache may come without its count. */
function usageOf(line: Record<string, unknown>): Usage | undefined {
  const inputTokens = numberAt(line, "prompt_eval_count");
  const outputTokens = numberAt(line, "eval_count");
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
}
