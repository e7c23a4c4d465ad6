/** Helpers for tests of provider quirks: read recorded streams and summarise the result for comparison. */

import { readFileSync } from "node:fs";
import type { AssistantPart, Ask, ToolCall, Message } from "../../protocol/messages.ts";
import type { EndReason, ModelError, ModelEvent } from "../../protocol/model-events.ts";
import type { Wire } from "../wire.ts";
import { mergeDeltas } from "./arbitraries.ts";

/** Everything that a stream yielded, up to its failure if it has one. */
type StreamRecord = { events: ModelEvent[]; error?: ModelError };

/** A call as [name, arguments], or [name, fault, raw text]; `id` if the provider gave one. */
type StreamCall = [name: string, ...rest: unknown[]];

export type StreamSummary = {
  text?: string;
  reasoning?: string;
  calls?: StreamCall[];
  end: EndReason | Partial<Pick<ModelError, "kind" | "fault">>;
};

/** A recorded stream from test/transcripts. */
export const transcript = (wire: Wire, name: string): Buffer =>
  readFileSync(new URL(`../../../test/transcripts/${wire.name}/${name}`, import.meta.url));

/** A short summary of an answer; empty parts are left out. */
export function summary({ events, error }: StreamRecord): StreamSummary {
  const text = textOf(events, "text-delta");
  const reasoning = textOf(events, "reasoning-delta");
  const calls = events.flatMap((event) => (event.type === "call-end" ? [streamCall(event.call)] : []));
  const last = events.at(-1);
  return {
    ...(text === "" ? {} : { text }),
    ...(reasoning === "" ? {} : { reasoning }),
    ...(calls.length === 0 ? {} : { calls }),
    end: last?.type === "answer-end" ? last.reason : { kind: error?.kind, fault: error?.fault },
  };
}

function streamCall(call: ToolCall): StreamCall {
  if (call.problem !== undefined) return [call.name, call.fault, call.rawArguments];
  return isMade(call.id) ? [call.name, call.input] : [call.name, call.input, call.id];
}

const isMade = (id: string): boolean => /^(call|toolu)_[0-9a-f]{16}$/.test(id);

const textOf = (events: readonly ModelEvent[], type: "text-delta" | "reasoning-delta"): string =>
  events.map((event) => (event.type === type ? event.text : "")).join("");

/** All events with generated ids replaced by their order, so that two readings of one stream are equal. */
export function comparable({ events, error }: StreamRecord): object {
  const ids = new Map<string, string>();
  const named = (id: string): string => {
    if (isMade(id) && !ids.has(id)) ids.set(id, `made ${ids.size}`);
    return ids.get(id) ?? id;
  };
  const renamed = mergeDeltas(events).map((event): ModelEvent => {
    if (event.type === "call-end") return { ...event, call: { ...event.call, id: named(event.call.id) } };
    return "id" in event ? { ...event, id: named(event.id) } : event;
  });
  const { kind, message, fault, midStream } = error ?? {};
  return { events: renamed, failure: error ? { kind, message, fault, midStream } : undefined };
}

/** The next request after an answer: the answer and the results of its calls. */
export function askedNext(model: string, events: readonly ModelEvent[]): Ask {
  const content = events.flatMap((event): AssistantPart[] => {
    if (event.type === "call-end") return [{ type: "call", call: event.call }];
    return event.type === "reasoning-end" && event.state
      ? [{ type: "reasoning", text: "", state: event.state }]
      : [];
  });
  const results = content.flatMap((part): Message[] =>
    part.type === "call"
      ? [{ role: "tool", callId: part.call.id, name: part.call.name, content: [okay], isError: false }]
      : [],
  );
  const messages: Message[] = [{ role: "user", content: [okay] }, { role: "assistant", content }, ...results];
  return { model, system: "", messages, tools: [] };
}

const okay = { type: "text" as const, text: "Okay." };

/** The complete calls, in order. */
export const callsIn = (events: readonly ModelEvent[]): ToolCall[] =>
  events.flatMap((event) => (event.type === "call-end" ? [event.call] : []));

/** Yields the items one by one, then throws the error if one is given. */
export async function* asStream<T>(items: readonly T[], error?: ModelError): AsyncGenerator<T> {
  yield* items;
  if (error) throw error;
}
