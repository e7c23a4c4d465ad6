/** Decodes Cohere's answers, streamed or whole, into model events. */

import { isObject } from "../../base/json.ts";
import { ModelError, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import { AnswerReader, readAnswer, strayArguments, type GatheredCall } from "../answer-reader.ts";
import { explain } from "../explain.ts";
import { arrayAt, numberAt, objectAt, stringAt, wholeObject } from "../fields.ts";
import { frameParser, orFailure } from "../frames.ts";
import { sseBatches } from "../framing.ts";
import { FrameJoiner, onlyEntry, type PieceOf } from "../joint-frames.ts";
import { endsStream } from "../openai-chat/errors.ts";
import { errorOf, errorText } from "./errors.ts";
import { thoughtState } from "./thinking.ts";

class CohereAnswer extends AnswerReader {
  /** The open reasoning: a block of thoughts, or a plan, which has no end event. */
  thinking: "thought" | "plan" | undefined;
  readonly open = new Map<number, GatheredCall>();
  /** The index of the call opened last: servers stream one call at a time. */
  last = 0;
}

/** Decodes a stream of https://docs.cohere.com/docs/streaming and .../docs/tool-use-streaming. */
export function decodeBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ModelEvent[]> {
  const answer = new CohereAnswer();
  const parse = frameParser();
  const read = orFailure(({ event, data }) => {
    if (endsStream(data)) return true;
    const frame = parse(data);
    if (frame) step(answer, frame, event);
    return false;
  }, streamError);
  return readAnswer(sseBatches(bytes, new FrameJoiner(pieceOf).events), { answer, read });
}

/** The piece of a delta: text, thought, plan, or arguments. */
const pieceOf: PieceOf = (frame) => {
  const [field = "", said] = onlyEntry(messageOf(frame)) ?? [];
  switch (`${stringAt(frame, "type")} ${field}`) {
    case "content-delta content": {
      const [kind, text] = onlyEntry(said, ["type"]) ?? [];
      return kind === "text" || kind === "thinking" ? { text } : undefined;
    }
    case "tool-plan-delta tool_plan":
      return { text: said };
    case "tool-call-delta tool_calls":
      return { text: objectAt(said, "function")?.["arguments"] };
    default:
      return undefined;
  }
};

/** Decodes a whole reply, as a stream whose blocks come in one piece. */
export function decodeWhole(body: unknown): ModelEvent[] {
  const reply = wholeObject(body);
  const message = objectAt(reply, "message");
  if (!message) {
    if (errorText(reply) !== undefined) throw streamError(reply);
    throw new ModelError("malformed", "The provider's answer has no message.", { advice: "Try again." });
  }
  const answer = new CohereAnswer();
  for (const frame of framesOf(reply, message)) step(answer, frame);
  return answer.take();
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

/** Ignores citations and unknown events. */
function step(answer: CohereAnswer, frame: Record<string, unknown>, event = "message"): void {
  const type = stringAt(frame, "type") ?? event;
  // An error may come as in a separate reply: without a type.
  if (type === "error" || (type === "message" && errorText(frame) !== undefined)) throw streamError(frame);
  if (type === "message-end") return end(answer, objectAt(frame, "delta") ?? {});
  if (type === "content-end") {
    if (answer.thinking === "thought") endThinking(answer);
    return;
  }
  const read = readers.get(type);
  if (!read) return;
  if (type !== "message-start") answer.release();
  read(answer, frame);
}

const readers = new Map<string, (answer: CohereAnswer, frame: Record<string, unknown>) => void>([
  ["message-start", (answer, frame) => void (answer.model = stringAt(frame, "model") ?? answer.model)],
  [
    "content-start",
    (answer, frame) => {
      endThinking(answer);
      content(answer, frame);
    },
  ],
  ["content-delta", content],
  ["tool-plan-delta", (answer, frame) => think(answer, "plan", stringAt(messageOf(frame), "tool_plan"))],
  ["tool-call-start", startCall],
  ["tool-call-delta", moreArguments],
  ["tool-call-end", (answer, frame) => endCall(answer, indexOf(answer, frame))],
]);

/** The error of a failed answer: none of its calls may run. */
const streamError = (said: unknown): ModelError =>
  errorOf(errorText(said) ?? "an unknown error", { fault: "stream_error" });

/** The vendor's first description of the stream had no `message` around the new content. */
function messageOf(frame: Record<string, unknown>): Record<string, unknown> | undefined {
  const delta = objectAt(frame, "delta");
  return objectAt(delta, "message") ?? delta;
}

function content(answer: CohereAnswer, frame: Record<string, unknown>): void {
  const said = objectAt(messageOf(frame), "content");
  think(answer, "thought", stringAt(said, "thinking"));
  const text = stringAt(said, "text") ?? "";
  if (text !== "") endThinking(answer);
  answer.text(text);
}

function think(answer: CohereAnswer, kind: "thought" | "plan", text = ""): void {
  if (text === "") return;
  if (answer.thinking !== kind) endThinking(answer);
  answer.thinking = kind;
  answer.think(text);
}

function endThinking(answer: CohereAnswer): void {
  answer.endThought(answer.thinking === "thought" ? thoughtState : undefined);
  answer.thinking = undefined;
}

/** One call per event; some servers send a list, and the first description has a single object. */
function calledIn(frame: Record<string, unknown>): unknown {
  const message = messageOf(frame);
  const called = objectAt(message, "tool_calls") ?? arrayAt(message, "tool_calls")?.[0];
  return called ?? objectAt(message, "tool_call");
}

function startCall(answer: CohereAnswer, frame: Record<string, unknown>): void {
  const said = calledIn(frame);
  const asked = objectAt(said, "function");
  const index = numberAt(frame, "index") ?? answer.calls;
  endThinking(answer);
  endCall(answer, index);
  answer.release();
  const started = answer.startCall({ id: stringAt(said, "id"), name: stringAt(asked, "name") });
  const call: GatheredCall = { ...started, pieces: [], input: undefined };
  answer.open.set(index, call);
  answer.last = index;
  addArguments(answer, call, asked?.["arguments"]);
}

/** The call that an event belongs to. An unknown index can only mean the last call. */
function indexOf(answer: CohereAnswer, frame: Record<string, unknown>): number {
  const index = numberAt(frame, "index");
  return index !== undefined && answer.open.has(index) ? index : answer.last;
}

function moreArguments(answer: CohereAnswer, frame: Record<string, unknown>): void {
  const more = objectAt(calledIn(frame), "function")?.["arguments"];
  if (more === undefined || more === null || more === "") return;
  const call = answer.open.get(indexOf(answer, frame));
  if (!call) throw strayArguments();
  addArguments(answer, call, more);
}

/** Arguments are a text in pieces; an object is taken as the whole. */
function addArguments(answer: CohereAnswer, call: GatheredCall, more: unknown): void {
  if (isObject(more)) call.input = more;
  answer.argument(call, more);
}

function endCall(answer: CohereAnswer, index: number, cut?: string): void {
  const call = answer.open.get(index);
  answer.open.delete(index);
  if (call) answer.endGathered(call, cut);
}

function end(answer: CohereAnswer, said: Record<string, unknown>): void {
  const finish = stringAt(said, "finish_reason") ?? "";
  const error = errorText(said) ?? "";
  if (finish === "TIMEOUT") throw explain("timeout", { said: error, fault: "stream_error" });
  if (error !== "" || finish.startsWith("ERROR")) throw streamError(error || "It broke off the answer");
  const isCut = finish === "MAX_TOKENS";
  const cut = isCut ? "The answer reached its length limit before the arguments were complete." : undefined;
  endThinking(answer);
  answer.release(cut);
  // The end of the message ends calls that the server forgot to end.
  for (const index of answer.open.keys()) {
    endCall(answer, index, cut);
    answer.release();
  }
  answer.end({
    reason: isCut ? "length" : undefined,
    usage: usageOf(objectAt(said, "usage")),
    promised: finish === "TOOL_CALL",
  });
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
    cacheReadTokens,
  };
}
