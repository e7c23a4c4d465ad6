/** Reads an answer in the OpenAI Responses format, streamed or whole. */
import type { Call } from "../../protocol/messages.ts";
import { isObject } from "../../base/json.ts";
import { ModelError, type EndReason, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import { cutOff, frameParser, readBatches, withHeard, type ReadFrame } from "../frames.ts";
import { sseBatches, type SseEvent } from "../framing.ts";
import { cutAtLength, cutByFilter } from "../openai-chat/arguments.ts";
import { endsStream, errorInside } from "../openai-chat/errors.ts";
import { responsesName } from "./ask.ts";
import { readUsage } from "./usage.ts";
import {
  arrayAt,
  asJson,
  makeId,
  numberAt,
  objectAt,
  readArguments,
  stringAt,
  wholeObject,
} from "../fields.ts";

/** One output item; `heard` once a delta of it has come. `speaks` tells summaries from full reasoning: one counts. */
type Item = {
  type: string;
  call: { id: string; name: string; pieces: string[] } | undefined;
  heard: boolean;
  speaks: string;
};

/** All that is known of an answer while it is read. Items are kept by output_index while they are open. */
type Answer = {
  started: boolean;
  items: Map<number, Item>;
  /** Ids of calls that have ended. */
  ended: Set<string>;
  done: number;
  refused: boolean;
  usage: Usage | undefined;
  /** Why the answer was cut short, as the problem of a call that was being written. */
  cut: string | undefined;
  reason: EndReason | undefined;
};

/** Throws one ModelError for a failure said by the provider, for bytes that are no answer, and for a stream cut off. */
export async function* decodeBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ModelEvent[]> {
  const answer = newAnswer();
  const parse = frameParser();
  const read: ReadFrame<SseEvent> = ({ event, data }, out) => {
    if (endsStream(data)) return true;
    const said = parse(data);
    if (!said) return false;
    // Some proxies name the event only in the frame, not in its data.
    for (const told of readEvent(answer, stringAt(said, "type") ?? event, said)) out.push(told);
    return answer.reason !== undefined;
  };
  try {
    yield* readBatches(sseBatches(bytes), read);
    if (answer.reason === undefined) throw cutOff(answer.started);
    yield [...endAnswer(answer, answer.reason)];
  } catch (error) {
    throw withHeard(error, answer.started);
  }
}

/** A whole reply is read like the last event of a stream of which nothing else was heard. */
export function decodeWhole(body: unknown): ModelEvent[] {
  const reply = wholeObject(body);
  const status = stringAt(reply, "status") ?? "completed";
  if (!arrayAt(reply, "output") && !objectAt(reply, "error")) {
    throw new ModelError("malformed", "The provider's reply holds no output. Check the base URL.");
  }
  const answer = newAnswer();
  const failed = objectAt(reply, "error") !== undefined || status === "failed";
  const events = [
    ...readEvent(answer, failed ? "response.failed" : `response.${status}`, { response: reply }),
  ];
  if (answer.reason === undefined)
    throw new ModelError("malformed", `The provider's reply is not complete: its status is ${status}.`);
  return [...events, ...endAnswer(answer, answer.reason)];
}

const newAnswer = (): Answer => ({
  started: false,
  items: new Map(),
  ended: new Set(),
  done: 0,
  refused: false,
  usage: undefined,
  cut: undefined,
  reason: undefined,
});

function* readEvent(answer: Answer, type: string, event: Record<string, unknown>): Generator<ModelEvent> {
  if (type === "error" || type === "response.failed") {
    throw errorInside(objectAt(event, "response") ?? event, answer.started);
  }
  const read = readers.get(type);
  if (read) yield* read(answer, event, numberAt(event, "output_index") ?? 0);
}

type Reader = (answer: Answer, event: Record<string, unknown>, index: number) => Iterable<ModelEvent>;

const deltaOf = (event: unknown): string => stringAt(event, "delta") ?? "";

/** The events that say something; all others (`…done` of parts, annotations, built-in tools) are passed over. */
const readers = new Map<string, Reader>([
  ["response.created", start],
  ["response.in_progress", start],
  ["response.output_item.added", (answer, event, index) => openItem(answer, index, objectAt(event, "item"))],
  ["response.output_item.done", (answer, event, index) => closeItem(answer, index, objectAt(event, "item"))],
  ["response.output_text.delta", (answer, event, index) => hearText(answer, index, deltaOf(event))],
  [
    "response.refusal.delta",
    (answer, event, index) => {
      answer.refused = true;
      return hearText(answer, index, deltaOf(event));
    },
  ],
  [
    "response.reasoning_summary_part.added",
    (answer, event, index) =>
      hearReasoning(answer, index, { kind: "summary", text: numberAt(event, "summary_index") ? "\n\n" : "" }),
  ],
  [
    "response.reasoning_summary_text.delta",
    (answer, event, index) => hearReasoning(answer, index, { kind: "summary", text: deltaOf(event) }),
  ],
  [
    "response.reasoning_text.delta",
    (answer, event, index) => hearReasoning(answer, index, { kind: "content", text: deltaOf(event) }),
  ],
  [
    "response.function_call_arguments.delta",
    (answer, event, index) => hearArguments(answer, index, deltaOf(event)),
  ],
  ["response.completed", (answer, event) => complete(answer, objectAt(event, "response"), false)],
  ["response.incomplete", (answer, event) => complete(answer, objectAt(event, "response"), true)],
]);

function* start(answer: Answer, event: unknown): Generator<ModelEvent> {
  if (answer.started) return;
  answer.started = true;
  yield { type: "answer-start", model: stringAt(objectAt(event, "response"), "model") ?? "" };
}

function* openItem(answer: Answer, index: number, item: unknown): Generator<ModelEvent> {
  yield* start(answer, undefined);
  if (!item) return;
  const last = answer.items.get(index);
  // Some proxies give every item the index 0.
  if (last?.call) answer.items.set(-1 - answer.items.size, last);
  else if (last) yield* closeItem(answer, index, undefined);
  const opened = newItem(stringAt(item, "type") ?? "");
  answer.items.set(index, opened);
  if (opened.type !== "function_call") return;
  const call = {
    id: stringAt(item, "call_id") || makeId("call"),
    name: stringAt(item, "name") ?? "",
    pieces: [],
  };
  opened.call = call;
  yield { type: "call-start", id: call.id, name: call.name };
}

const newItem = (type: string): Item => ({ type, call: undefined, heard: false, speaks: "" });

function* hearText(answer: Answer, index: number, text: string): Generator<ModelEvent> {
  yield* start(answer, undefined);
  if (text === "") return;
  itemAt(answer, index, "message").heard = true;
  yield { type: "text-delta", text };
}

type Thought = { kind: "summary" | "content"; text: string };

function* hearReasoning(answer: Answer, index: number, { kind, text }: Thought): Generator<ModelEvent> {
  yield* start(answer, undefined);
  const item = itemAt(answer, index, "reasoning");
  item.speaks ||= kind;
  if (text === "" || item.speaks !== kind) return;
  item.heard = true;
  yield { type: "reasoning-delta", text };
}

/** The item that is open there; some proxies never announce it. */
function itemAt(answer: Answer, index: number, type: string): Item {
  const item = answer.items.get(index) ?? newItem(type);
  answer.items.set(index, item);
  return item;
}

function* hearArguments(answer: Answer, index: number, json: string): Generator<ModelEvent> {
  const call = answer.items.get(index)?.call;
  if (!call || json === "") return;
  call.pieces.push(json);
  yield { type: "call-delta", id: call.id, json };
}

/** The finished item is what counts: its deltas may have been partial or missing altogether (LM Studio, Azure). */
function* closeItem(answer: Answer, index: number, item: unknown): Generator<ModelEvent> {
  const type = stringAt(item, "type") ?? answer.items.get(index)?.type ?? "";
  const place = placeOf(answer, stringAt(item, "call_id")) ?? index;
  if (answer.items.get(place)?.type !== type) yield* openItem(answer, place, item);
  const open = answer.items.get(place);
  answer.items.delete(place);
  if (!open) return;
  answer.done += 1;
  if (open.call) {
    answer.ended.add(open.call.id);
    yield { type: "call-end", call: finished(open.call, item, cutOf(answer, item)) };
  } else if (type === "reasoning") {
    yield* closeReasoning(open, item);
  } else if (type === "message" && !open.heard) {
    const text = textOf(item, answer);
    if (text !== "") yield { type: "text-delta", text };
  }
}

/** Where a call that is open is kept, by its own id. */
function placeOf(answer: Answer, callId: string | undefined): number | undefined {
  if (callId === undefined || callId === "") return undefined;
  return [...answer.items].find(([, { call }]) => call?.id === callId)?.[0];
}

function cutOf(answer: Answer, item: unknown): string | undefined {
  if (item === undefined) return answer.cut;
  return stringAt(item, "status") === "incomplete" ? (answer.cut ?? cutAtLength) : undefined;
}

function finished(
  open: { id: string; name: string; pieces: string[] },
  item: unknown,
  cut: string | undefined,
): Call {
  const said = isObject(item) ? item["arguments"] : undefined;
  const text = typeof said === "string" && said !== "" ? said : open.pieces.join("");
  const call = { id: open.id, name: stringAt(item, "name") ?? open.name, source: "native" };
  if (cut !== undefined) return { ...call, input: {}, rawArguments: text, problem: cut };
  return { ...call, ...readArguments(isObject(said) ? said : text) };
}

/** The item is kept as it came: with `store: false` its encrypted content is all the provider has to go on. */
function* closeReasoning(open: Item, item: unknown): Generator<ModelEvent> {
  const text = open.heard ? "" : reasoningText(item);
  if (text !== "") yield { type: "reasoning-delta", text };
  yield item
    ? { type: "reasoning-end", state: { from: responsesName, value: asJson(item) } }
    : { type: "reasoning-end" };
}

export function reasoningText(item: unknown): string {
  const texts = (key: string): string[] =>
    (arrayAt(item, key) ?? []).map((part) => stringAt(part, "text") ?? "");
  const summary = texts("summary");
  return summary.length > 0 ? summary.join("\n\n") : texts("content").join("");
}

function textOf(item: unknown, answer: Answer): string {
  const parts = arrayAt(item, "content") ?? [];
  if (parts.some((part) => stringAt(part, "refusal"))) answer.refused = true;
  return parts.map((part) => stringAt(part, "text") ?? stringAt(part, "refusal") ?? "").join("");
}

/** The answer is over: what has not been heard of its output is read now, and what is still open is closed. */
function* complete(answer: Answer, response: unknown, cut: boolean): Generator<ModelEvent> {
  yield* start(answer, { response });
  const filtered = stringAt(objectAt(response, "incomplete_details"), "reason") === "content_filter";
  if (cut) answer.cut = filtered ? cutByFilter : cutAtLength;
  const output = arrayAt(response, "output") ?? [];
  const silent = answer.done === 0 && answer.items.size === 0;
  for (const [index, item] of output.entries()) {
    if (silent) yield* closeItem(answer, index, item);
    else yield* closeUnheardCall(answer, item);
  }
  for (const index of answer.items.keys()) yield* closeItem(answer, index, undefined);
  answer.usage = readUsage(objectAt(response, "usage"));
  answer.reason = reasonOf(answer);
}

/** A call of the final output that never ended in the stream; its place in the list need not be its output_index. */
function* closeUnheardCall(answer: Answer, item: unknown): Generator<ModelEvent> {
  const id = stringAt(item, "call_id") ?? "";
  if (stringAt(item, "type") !== "function_call" || id === "" || answer.ended.has(id)) return;
  yield* closeItem(answer, -1 - answer.items.size, item);
}

function reasonOf({ cut, refused, ended }: Answer): EndReason {
  if (cut === cutAtLength) return "length";
  if (cut === cutByFilter || refused) return "refusal";
  return ended.size > 0 ? "tool-calls" : "stop";
}

function* endAnswer(answer: Answer, reason: EndReason): Generator<ModelEvent> {
  if (answer.usage) yield { type: "usage", usage: answer.usage };
  yield { type: "answer-end", reason };
}
