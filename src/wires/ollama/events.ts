/** Ollama's answers, streamed or whole, as model events. */
import type { Call } from "../../protocol/messages.ts";
import { ModelError, type EndReason, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import { cutOff, frameParser, readBatches, withHeard, type ReadFrame } from "../frames.ts";
import { ndjsonBatches } from "../framing.ts";
import { errorOf, errorText } from "./errors.ts";
import {
  arrayAt,
  makeId,
  numberAt,
  objectAt,
  readArguments,
  stringAt,
  wholeObject,
  type ReadArguments,
} from "../fields.ts";

type Answer = { heard: boolean; thinking: boolean; ids: Set<string>; over: boolean };

const newAnswer = (): Answer => ({ heard: false, thinking: false, ids: new Set(), over: false });

/**
 * Reads a stream of https://docs.ollama.com/api/chat: each line has a piece of the message, the last says `done`.
 * `answer-start` comes with the first content, so that a failure before it can be asked again.
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

/** Reads a whole reply: one line that says everything. */
export function decodeWhole(body: unknown): ModelEvent[] {
  const line = wholeObject(body);
  if (errorText(line) === undefined && !objectAt(line, "message"))
    throw new ModelError("malformed", "The provider's answer has no message. Ask again.");
  return step(newAnswer(), { ...line, done: true });
}

function step(answer: Answer, line: Record<string, unknown>): ModelEvent[] {
  const failure = errorText(line);
  if (failure !== undefined) throw errorOf(failure, {});
  const events = said(answer, objectAt(line, "message"));
  if (line["done"] === true) events.push(...end(answer, line));
  if (answer.heard || events.length === 0) return events;
  answer.heard = true;
  return [{ type: "answer-start", model: stringAt(line, "model") ?? "" }, ...events];
}

function said(answer: Answer, message: Record<string, unknown> | undefined): ModelEvent[] {
  const events: ModelEvent[] = [];
  const thinking = stringAt(message, "thinking") ?? "";
  const text = stringAt(message, "content") ?? "";
  const calls = arrayAt(message, "tool_calls") ?? [];
  if (thinking !== "") events.push({ type: "reasoning-delta", text: thinking });
  answer.thinking ||= thinking !== "";
  if (text !== "" || calls.length > 0) events.push(...endThinking(answer));
  if (text !== "") events.push({ type: "text-delta", text });
  return [...events, ...calls.flatMap((call) => callEvents(answer, call))];
}

function endThinking(answer: Answer): ModelEvent[] {
  if (!answer.thinking) return [];
  answer.thinking = false;
  return [{ type: "reasoning-end" }];
}

/** A16: each call object is a whole call. Two equal ones are two calls. */
function callEvents(answer: Answer, value: unknown): ModelEvent[] {
  const asked = objectAt(value, "function");
  const name = stringAt(asked, "name") ?? "";
  const given = stringAt(value, "id");
  const id = given === undefined || given === "" || answer.ids.has(given) ? makeId("call") : given;
  answer.ids.add(id);
  const read: ReadArguments =
    name === "" ? { input: {}, problem: "The call has no tool name." } : readArguments(asked?.["arguments"]);
  const call: Call = { id, name, source: "native", ...read };
  return [
    { type: "call-start", id, name },
    { type: "call-end", call },
  ];
}

function end(answer: Answer, line: Record<string, unknown>): ModelEvent[] {
  answer.over = true;
  const usage = usageOf(line);
  return [
    ...endThinking(answer),
    ...(usage ? [{ type: "usage", usage } as const] : []),
    { type: "answer-end", reason: reasonOf(answer, stringAt(line, "done_reason")) },
  ];
}

function reasonOf(answer: Answer, doneReason: string | undefined): EndReason {
  if (doneReason === "length") return "length";
  return answer.ids.size > 0 ? "tool-calls" : "stop";
}

/** A prompt that was read from the cache alone may come without its count. */
function usageOf(line: Record<string, unknown>): Usage | undefined {
  const inputTokens = numberAt(line, "prompt_eval_count");
  const outputTokens = numberAt(line, "eval_count");
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
}
