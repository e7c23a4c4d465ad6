/** Decodes Cohere's answers, streamed or whole, into model events. */

import { isObject } from "../../base/json.ts";
import { ModelError, type EndReason, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import { explain } from "../explain.ts";
import {
  arrayAt,
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
import {
  cutOff,
  emptyToolUse,
  frameParser,
  orFailure,
  readBatches,
  withHeard,
  type ReadFrame,
} from "../frames.ts";
import { sseBatches, type SseEvent } from "../framing.ts";
import { endsStream } from "../openai-chat/errors.ts";
import { present } from "../present.ts";
import { errorOf, errorText } from "./errors.ts";
import { thoughtState } from "./thinking.ts";

type CohereCall = { id: string; name: string; pieces: string[]; input: unknown };

type CohereAnswer = {
  model: string;
  heard: boolean;
  /** Whether any text for the user was received. */
  said: boolean;
  /** The open reasoning: a block of thoughts, or a plan, which has no end event. */
  thinking: "thought" | "plan" | undefined;
  open: Map<number, CohereCall>;
  /** The index of the call opened last: servers stream one call at a time. */
  last: number;
  ids: Set<string>;
  /** A finished call without readable arguments is held: a length stop would mean that it was cut off. */
  waiting: CohereCall | undefined;
  over: boolean;
};

const newAnswer = (): CohereAnswer => ({
  model: "",
  heard: false,
  said: false,
  thinking: undefined,
  open: new Map(),
  last: 0,
  ids: new Set(),
  waiting: undefined,
  over: false,
});

/**
 * Decodes a stream of https://docs.cohere.com/docs/streaming and .../docs/tool-use-streaming. `answer-start` comes with
 * the first content, so that an earlier failure can be retried.
 */
export async function* decodeBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ModelEvent[]> {
  const answer = newAnswer();
  const parse = frameParser();
  const read: ReadFrame<SseEvent> = ({ event, data }, out) => {
    if (endsStream(data)) return true;
    const frame = parse(data);
    if (frame) out.push(...withAnswerStart(answer, step(answer, frame, event)));
    return answer.over;
  };
  try {
    yield* readBatches(sseBatches(bytes), orFailure(read, streamError));
  } catch (error) {
    throw withHeard(error, answer.heard);
  }
  if (!answer.over) throw cutOff(answer.heard);
}

/** Decodes a whole reply, as a stream whose blocks come in one piece. */
export function decodeWhole(body: unknown): ModelEvent[] {
  const reply = wholeObject(body);
  const message = objectAt(reply, "message");
  if (!message) {
    if (errorText(reply) !== undefined) throw streamError(reply);
    throw new ModelError("malformed", "The provider's answer has no message.", { advice: "Try again." });
  }
  const answer = newAnswer();
  return framesOf(reply, message).flatMap((frame) => withAnswerStart(answer, step(answer, frame)));
}

function framesOf(
  reply: Record<string, unknown>,
  message: Record<string, unknown>,
): Record<string, unknown>[] {
  const text = stringAt(message, "content");
  const blocks = text === undefined ? (arrayAt(message, "content") ?? []) : [{ type: "text", text }];
  return [
    { type: "message-start", model: reply["model"] },
    frame("tool-plan-delta", 0, { tool_plan: message["tool_plan"] }),
    ...blocks.flatMap((content, index) => [
      frame("content-start", index, { content }),
      frame("content-end", index, {}),
    ]),
    ...(arrayAt(message, "tool_calls") ?? []).flatMap((called, index) => [
      frame("tool-call-start", index, { tool_calls: called }),
      frame("tool-call-end", index, {}),
    ]),
    { type: "message-end", delta: reply },
  ];
}

const frame = (type: string, index: number, message: object): Record<string, unknown> => ({
  type,
  index,
  delta: { message },
});

function withAnswerStart(answer: CohereAnswer, events: ModelEvent[]): ModelEvent[] {
  if (answer.heard || events.length === 0) return events;
  answer.heard = true;
  return [{ type: "answer-start", model: answer.model }, ...events];
}

/** Ignores citations and unknown events. */
function step(answer: CohereAnswer, frame: Record<string, unknown>, event = "message"): ModelEvent[] {
  const type = stringAt(frame, "type") ?? event;
  switch (type) {
    case "message-start":
      answer.model = stringAt(frame, "model") ?? answer.model;
      return [];
    case "content-start":
      return [...release(answer), ...endThinking(answer), ...content(answer, frame)];
    case "content-delta":
      return [...release(answer), ...content(answer, frame)];
    case "content-end":
      return answer.thinking === "thought" ? endThinking(answer) : [];
    case "tool-plan-delta":
      return [...release(answer), ...think(answer, "plan", stringAt(messageOf(frame), "tool_plan"))];
    case "tool-call-start":
      return startCall(answer, frame);
    case "tool-call-delta":
      return [...release(answer), ...moreArguments(answer, frame)];
    case "tool-call-end":
      return [...release(answer), ...endCall(answer, indexOf(answer, frame))];
    case "message-end":
      return end(answer, objectAt(frame, "delta") ?? {});
    default:
      return other(frame, type);
  }
}

/** An error may come as in a separate reply: without a type. */
function other(frame: Record<string, unknown>, type: string): ModelEvent[] {
  if (type === "error" || (type === "message" && errorText(frame) !== undefined)) throw streamError(frame);
  return [];
}

/** The error of a failed answer: none of its calls may run. */
const streamError = (said: unknown): ModelError =>
  errorOf(errorText(said) ?? "an unknown error", { fault: "stream_error" });

/** The vendor's first description of the stream had no `message` around the new content. */
function messageOf(frame: Record<string, unknown>): Record<string, unknown> | undefined {
  const delta = objectAt(frame, "delta");
  return objectAt(delta, "message") ?? delta;
}

function content(answer: CohereAnswer, frame: Record<string, unknown>): ModelEvent[] {
  const said = objectAt(messageOf(frame), "content");
  const thoughts = think(answer, "thought", stringAt(said, "thinking"));
  const text = stringAt(said, "text") ?? "";
  if (text === "") return thoughts;
  answer.said = true;
  return [...thoughts, ...endThinking(answer), { type: "text-delta", text }];
}

function think(answer: CohereAnswer, kind: "thought" | "plan", text: string | undefined): ModelEvent[] {
  if (text === undefined || text === "") return [];
  const before = answer.thinking === kind ? [] : endThinking(answer);
  answer.thinking = kind;
  return [...before, { type: "reasoning-delta", text }];
}

function endThinking(answer: CohereAnswer): ModelEvent[] {
  const { thinking } = answer;
  answer.thinking = undefined;
  if (thinking === undefined) return [];
  return [{ type: "reasoning-end", ...(thinking === "thought" ? { state: thoughtState } : {}) }];
}

/** One call per event; some servers send a list, and the first description has a single object. */
function calledIn(frame: Record<string, unknown>): unknown {
  const message = messageOf(frame);
  const called = objectAt(message, "tool_calls") ?? arrayAt(message, "tool_calls")?.[0];
  return called ?? objectAt(message, "tool_call");
}

function startCall(answer: CohereAnswer, frame: Record<string, unknown>): ModelEvent[] {
  const said = calledIn(frame);
  const asked = objectAt(said, "function");
  const call: CohereCall = {
    id: newId(answer, stringAt(said, "id")),
    name: stringAt(asked, "name") ?? "",
    pieces: [],
    input: undefined,
  };
  const index = numberAt(frame, "index") ?? answer.ids.size;
  const before = [...release(answer), ...endThinking(answer), ...endCall(answer, index), ...release(answer)];
  answer.open.set(index, call);
  answer.last = index;
  const start: ModelEvent = { type: "call-start", id: call.id, name: call.name };
  return [...before, start, ...addArguments(call, asked?.["arguments"])];
}

function newId(answer: CohereAnswer, given: string | undefined): string {
  const id = given === undefined || given === "" || answer.ids.has(given) ? makeId("call") : given;
  answer.ids.add(id);
  return id;
}

/** The call that an event belongs to. An unknown index can only mean the last call. */
function indexOf(answer: CohereAnswer, frame: Record<string, unknown>): number {
  const index = numberAt(frame, "index");
  return index !== undefined && answer.open.has(index) ? index : answer.last;
}

function moreArguments(answer: CohereAnswer, frame: Record<string, unknown>): ModelEvent[] {
  const more = objectAt(calledIn(frame), "function")?.["arguments"];
  if (more === undefined || more === null || more === "") return [];
  const call = answer.open.get(indexOf(answer, frame));
  if (call) return addArguments(call, more);
  throw new ModelError("malformed", "The provider sent arguments of a call that it never began.", {
    advice: "Try again.",
  });
}

/** Arguments are a text in pieces; an object is taken as the whole. */
function addArguments(call: CohereCall, more: unknown): ModelEvent[] {
  if (isObject(more)) call.input = more;
  if (typeof more !== "string" || more === "") return [];
  call.pieces.push(more);
  return [{ type: "call-delta", id: call.id, json: more }];
}

function endCall(answer: CohereAnswer, index: number): ModelEvent[] {
  const call = answer.open.get(index);
  answer.open.delete(index);
  if (!call) return [];
  const read = readInput(call);
  if (read.problem === undefined && !isEmpty(call)) return callEnd(call, read);
  answer.waiting = call;
  return [];
}

const argumentsText = ({ pieces }: CohereCall): string => pieces.join("");

/** For tools without parameters, servers send nothing or "null". */
const isEmpty = (call: CohereCall): boolean =>
  call.input === undefined && /^\s*(null\s*)?$/.test(argumentsText(call));

function readInput(call: CohereCall): ParsedArguments {
  if (call.name === "") return namelessCall(argumentsText(call));
  return isEmpty(call)
    ? { input: {} }
    : readArguments(call.pieces.length > 0 ? argumentsText(call) : call.input);
}

function callEnd({ id, name }: CohereCall, read: ParsedArguments): ModelEvent[] {
  return [{ type: "call-end", call: { id, name, source: "native", ...read } }];
}

function release(answer: CohereAnswer, isCut = false): ModelEvent[] {
  const call = answer.waiting;
  answer.waiting = undefined;
  return call ? callEnd(call, isCut ? truncatedArguments(call) : readInput(call)) : [];
}

const truncatedArguments = (call: CohereCall): ParsedArguments =>
  cutArguments(
    argumentsText(call),
    "The answer reached its length limit before the arguments were complete.",
  );

function end(answer: CohereAnswer, said: Record<string, unknown>): ModelEvent[] {
  const finish = stringAt(said, "finish_reason") ?? "";
  const error = errorText(said) ?? "";
  if (finish === "TIMEOUT") throw explain("timeout", { said: error, fault: "stream_error" });
  if (error !== "" || finish.startsWith("ERROR")) throw streamError(error || "It broke off the answer");
  const isCut = finish === "MAX_TOKENS";
  const events = [...endThinking(answer), ...endCalls(answer, isCut)];
  if (finish === "TOOL_CALL" && answer.ids.size === 0 && !answer.said) throw emptyToolUse(answer.heard);
  answer.over = true;
  const usage = usageOf(objectAt(said, "usage"));
  if (usage) events.push({ type: "usage", usage });
  return [...events, { type: "answer-end", reason: reasonOf(answer, isCut) }];
}

/** The end of the message ends calls that the server forgot to end, unless a length stop cut them off. */
function endCalls(answer: CohereAnswer, isCut: boolean): ModelEvent[] {
  const events = release(answer, isCut);
  for (const [index, call] of answer.open)
    if (isCut) events.push(...callEnd(call, truncatedArguments(call)));
    else events.push(...endCall(answer, index), ...release(answer));
  return events;
}

function reasonOf(answer: CohereAnswer, isCut: boolean): EndReason {
  if (isCut) return "length";
  return answer.ids.size > 0 ? "tool-calls" : "stop";
}

/** `billed_units` exclude the vendor's additions to the prompt and cached tokens; `tokens` include everything. */
function usageOf(usage: Record<string, unknown> | undefined): Usage | undefined {
  const counts = objectAt(usage, "tokens") ?? objectAt(usage, "billed_units");
  const inputTokens = numberAt(counts, "input_tokens");
  const outputTokens = numberAt(counts, "output_tokens");
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const cacheReadTokens = numberAt(usage, "cached_tokens");
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...present({ cacheReadTokens }),
  };
}
