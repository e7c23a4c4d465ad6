/** Decodes an answer in the OpenAI Responses format, streamed or whole. */

import { isObject } from "../../base/json.ts";
import { ModelError, type EndReason, type ModelEvent } from "../../protocol/model-events.ts";
import { AnswerReader, readAnswer } from "../answer-reader.ts";
import { arrayAt, asJson, numberAt, objectAt, stringAt, wholeObject } from "../fields.ts";
import { frameParser, orFailure } from "../frames.ts";
import { sseBatches } from "../framing.ts";
import { FrameJoiner, type PieceOf } from "../joint-frames.ts";
import { cutAtLength, cutByFilter } from "../openai-chat/arguments.ts";
import { endsStream, errorInside } from "../openai-chat/errors.ts";
import { readUsage } from "../openai-chat/usage.ts";
import { responsesName } from "./ask.ts";
import {
  displace,
  isUnannounced,
  newItem,
  noItems,
  indexOfCall,
  placeOfArguments,
  finishArguments,
  placeOfUnheard,
  readCall,
  reasoningText,
  type OutputItem,
} from "./items.ts";

class ResponsesAnswer extends AnswerReader {
  readonly items = noItems();
  /** The ids of ended calls, and the ids of their items. */
  readonly ended = new Map<string, string>();
  done = 0;
  refused = false;
  /** Why the answer was cut short, as the problem of an unfinished call. */
  cut: string | undefined;
  /** The last item of an answer that was cut short: incomplete unless its status says otherwise. */
  last: unknown;
}

/** Throws one ModelError for an error reported by the provider, for an invalid answer, or for a stream cut off. */
export function decodeBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ModelEvent[]> {
  const answer = new ResponsesAnswer();
  const parse = frameParser();
  const read = orFailure(
    ({ event, data }) => {
      if (endsStream(data)) return true;
      const said = parse(data);
      // Some proxies name the event only in the SSE frame, not in its data.
      if (said) readEvent(answer, stringAt(said, "type") ?? event, said);
      return false;
    },
    (said) => errorInside(objectAt(said, "response") ?? said, answer.heard),
  );
  return readAnswer(sseBatches(bytes, new FrameJoiner(pieceOf).events), { answer, read });
}

/** Decodes a whole reply like the final event of a stream without other events. */
export function decodeWhole(body: unknown): ModelEvent[] {
  const reply = wholeObject(body);
  const status = stringAt(reply, "status") ?? "completed";
  if (isComplaint(reply)) throw errorInside(reply);
  if (!arrayAt(reply, "output"))
    throw new ModelError("malformed", "The provider's reply holds no output.", {
      advice: "Check the base URL.",
    });
  const answer = new ResponsesAnswer();
  readEvent(answer, `response.${status}`, { response: reply });
  if (!answer.isOver)
    throw new ModelError("malformed", `The provider's reply is not complete: its status is ${status}.`, {
      advice: "Try again.",
    });
  return answer.take();
}

function readEvent(answer: ResponsesAnswer, type: string, event: Record<string, unknown>): void {
  const read = readers.get(type);
  if (type === "error" || type === "response.failed" || (!read && isComplaint(event)))
    throw errorInside(objectAt(event, "response") ?? event, answer.heard);
  read?.(answer, event, numberAt(event, "output_index") ?? 0);
}

/** Errors of proxies, which are not events of this format. */
const isComplaint = ({ error, object }: Record<string, unknown>): boolean =>
  isObject(error) || (typeof error === "string" && error !== "") || object === "error";

type EventReader = (answer: ResponsesAnswer, event: Record<string, unknown>, index: number) => void;

const deltaOf = (event: unknown): string => stringAt(event, "delta") ?? "";

/** The piece of a delta's event. */
const pieceOf: PieceOf = (event) =>
  /^response\.(?:output_text|refusal|reasoning_(?:summary_)?text|function_call_arguments)\.delta$/.test(
    stringAt(event, "type") ?? "",
  )
    ? { text: event["delta"] }
    : undefined;

/** The relevant events; all others (`…done` of parts, annotations, built-in tools) are ignored. */
const readers = new Map<string, EventReader>([
  ["response.created", start],
  ["response.in_progress", start],
  ["response.output_item.added", (answer, event, index) => openItem(answer, index, objectAt(event, "item"))],
  ["response.output_item.done", (answer, event, index) => closeItem(answer, index, objectAt(event, "item"))],
  ["response.output_text.delta", (answer, event, index) => hearText(answer, index, deltaOf(event))],
  [
    "response.refusal.delta",
    (answer, event, index) => {
      answer.refused = true;
      hearText(answer, index, deltaOf(event));
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
  ["response.function_call_arguments.delta", (answer, event) => hearArguments(answer, event)],
  [
    "response.function_call_arguments.done",
    (answer, event) => {
      const item = callAt(answer, event);
      if (item) finishArguments(answer.items, item, event);
    },
  ],
  ["response.completed", (answer, event) => complete(answer, objectAt(event, "response"), { cut: false })],
  ["response.incomplete", (answer, event) => complete(answer, objectAt(event, "response"), { cut: true })],
]);

function start(answer: ResponsesAnswer, event: unknown): void {
  answer.begin(stringAt(objectAt(event, "response"), "model"));
}

function openItem(answer: ResponsesAnswer, index: number, said: unknown): void {
  answer.begin();
  if (!said) return;
  const { open } = answer.items;
  const type = stringAt(said, "type") ?? "";
  const before = open.get(index);
  const callId = stringAt(said, "call_id") ?? "";
  if (callId !== "" && before?.call?.id === callId) return;
  const adopts = before && type === "function_call" && isUnannounced(before) && !before.added;
  if (before?.type === "function_call" && !adopts) displace(answer.items, index);
  else if (before && !adopts) closeItem(answer, index, undefined);
  const item = newItem(type, stringAt(said, "id"));
  item.added = true;
  if (isObject(said)) item.begun = said["arguments"];
  if (adopts) Object.assign(item, { pieces: before.pieces, final: before.final });
  open.set(index, item);
  if (type === "function_call" && callId !== "") announce(answer, item, said);
}

/** Results must name the call_id; if a proxy sends none, the item's own id is used. */
function announce(answer: ResponsesAnswer, item: OutputItem, said: unknown): void {
  const id = stringAt(said, "call_id") || stringAt(said, "id") || item.itemId;
  item.call = answer.startCall({ id, name: stringAt(said, "name") });
  answer.piece(item.call.id, item.pieces.join(""));
}

function hearText(answer: ResponsesAnswer, index: number, text: string): void {
  answer.begin();
  if (text !== "") itemAt(answer, index, "message").heard = true;
  answer.text(text);
}

type ReasoningPiece = { kind: "summary" | "content"; text: string };

function hearReasoning(answer: ResponsesAnswer, index: number, { kind, text }: ReasoningPiece): void {
  answer.begin();
  const item = itemAt(answer, index, "reasoning");
  item.speaks ||= kind;
  if (text === "" || item.speaks !== kind) return;
  item.heard = true;
  answer.think(text);
}

/** The open item at this index; some proxies never announce it. */
function itemAt({ items: { open } }: ResponsesAnswer, index: number, type: string): OutputItem {
  const item = open.get(index) ?? newItem(type);
  open.set(index, item);
  return item;
}

/** The call that arguments belong to; undefined if they come late, after the finished item. */
function callAt(answer: ResponsesAnswer, event: unknown): OutputItem | undefined {
  const itemId = stringAt(event, "item_id");
  const index = placeOfArguments(answer.items, itemId, numberAt(event, "output_index"));
  if (!answer.items.open.has(index) && answer.items.closed.has(index)) return undefined;
  const item = itemAt(answer, index, "function_call");
  if (isUnannounced(item)) item.itemId ||= itemId ?? "";
  return item;
}

function hearArguments(answer: ResponsesAnswer, event: unknown): void {
  answer.begin();
  const json = deltaOf(event);
  const item = callAt(answer, event);
  if (item?.type !== "function_call") return;
  item.pieces.push(json);
  if (item.call) answer.piece(item.call.id, json);
}

/** The finished item takes precedence: its deltas may be partial or missing (LM Studio, Azure). */
function closeItem(answer: ResponsesAnswer, index: number, said: unknown): void {
  if (hasEnded(answer, said)) return;
  const { open } = answer.items;
  const type = stringAt(said, "type") ?? open.get(index)?.type ?? "";
  const place = (type === "function_call" ? indexOfCall(answer.items, said, index) : undefined) ?? index;
  if (open.get(place)?.type !== type) openItem(answer, place, said);
  const item = open.get(place);
  open.delete(place);
  answer.items.closed.add(index);
  if (!item) return;
  answer.done += 1;
  if (type === "function_call") closeCall(answer, item, said);
  else if (type === "reasoning") closeReasoning(answer, item, said);
  else if (type === "message" && !item.heard) answer.text(textOf(said, answer));
}

/** Some proxies send the end of an item twice, which would run the call twice. */
function hasEnded({ ended }: ResponsesAnswer, said: unknown): boolean {
  const itemId = stringAt(said, "id") ?? "";
  return itemId !== "" && ended.get(stringAt(said, "call_id") ?? "") === itemId;
}

function closeCall(answer: ResponsesAnswer, item: OutputItem, said: unknown): void {
  if (!item.call) announce(answer, item, said);
  const call = readCall(item, said, cutOf(answer, said));
  answer.ended.set(call.id, stringAt(said, "id") ?? "");
  answer.endCall(call);
}

function cutOf(answer: ResponsesAnswer, said: unknown): string | undefined {
  const status = stringAt(said, "status");
  if (status === "incomplete") return answer.cut ?? cutAtLength;
  return said === undefined || (status === undefined && said === answer.last) ? answer.cut : undefined;
}

/** The item is stored unchanged: with `store: false` the provider depends on its encrypted content. */
function closeReasoning(answer: ResponsesAnswer, open: OutputItem, item: unknown): void {
  if (!open.heard) answer.think(reasoningText(item));
  answer.endThought(item ? { from: responsesName, value: asJson(item) } : undefined);
}

function textOf(item: unknown, answer: ResponsesAnswer): string {
  const parts = arrayAt(item, "content") ?? [];
  if (parts.some((part) => stringAt(part, "refusal"))) answer.refused = true;
  return parts.map((part) => stringAt(part, "text") ?? stringAt(part, "refusal") ?? "").join("");
}

/** Ends the answer: reads output items that were not streamed, and closes those still open. */
function complete(answer: ResponsesAnswer, response: unknown, { cut }: { cut: boolean }): void {
  const status = stringAt(response, "status");
  if (status === "failed") throw errorInside(response, answer.heard);
  start(answer, { response });
  const output = arrayAt(response, "output") ?? [];
  if (cut || status === "incomplete") {
    const filtered = stringAt(objectAt(response, "incomplete_details"), "reason") === "content_filter";
    answer.cut = filtered ? cutByFilter : cutAtLength;
    answer.last = output.at(-1);
  }
  const silent = answer.done === 0 && answer.items.open.size === 0;
  for (const [index, item] of output.entries()) {
    if (silent) closeItem(answer, index, item);
    else if (isUnheardCall(answer, item)) closeItem(answer, placeOfUnheard(answer.items, index), item);
  }
  for (const index of answer.items.open.keys()) closeItem(answer, index, undefined);
  const usage = readUsage(objectAt(response, "usage"), { input: "input", output: "output" });
  answer.end({ reason: reasonOf(answer), usage });
}

/** Whether this is a call of the final output that never ended in the stream. */
function isUnheardCall({ ended }: ResponsesAnswer, item: unknown): boolean {
  const id = stringAt(item, "call_id") ?? "";
  return stringAt(item, "type") === "function_call" && id !== "" && !ended.has(id);
}

function reasonOf({ cut, refused, ended }: ResponsesAnswer): EndReason {
  if (cut === cutAtLength) return "length";
  if (cut === cutByFilter || refused) return "refusal";
  return ended.size > 0 ? "tool-calls" : "stop";
}
