/** Collects a streamed answer into one value, for server halves that reply without streaming. */

import type { AssistantPart, ToolCall } from "../protocol/messages.ts";
import type { EndReason, ModelEvent, Usage } from "../protocol/model-events.ts";
import { readArguments } from "./fields.ts";

type CollectedAnswer = { model: string; parts: AssistantPart[]; usage: Usage | undefined; reason: EndReason };

/** Joins the deltas of a complete answer. A call is placed where it started; a call that never ended is left out. */
export function gather(events: readonly ModelEvent[]): CollectedAnswer {
  const gathered: CollectedAnswer = { model: "", parts: [], usage: undefined, reason: "stop" };
  const complete = new Map(
    events.flatMap((event) => (event.type === "call-end" ? [[event.call.id, event.call] as const] : [])),
  );
  const texts: string[] = [];
  const thoughts: string[] = [];
  const endText = (): void => {
    if (texts.length > 0) gathered.parts.push({ type: "text", text: texts.splice(0).join("") });
  };
  const addCall = (id: string): void => {
    endText();
    const call = complete.get(id);
    if (call) gathered.parts.push({ type: "call", call });
    complete.delete(id);
  };
  for (const event of events) {
    if (event.type === "text-delta") texts.push(event.text);
    else if (event.type === "reasoning-delta") thoughts.push(event.text);
    else if (event.type === "reasoning-end") {
      endText();
      const state = event.state ? { state: event.state } : {};
      gathered.parts.push({ type: "reasoning", text: thoughts.splice(0).join(""), ...state });
    } else if (event.type === "text-was-reasoning") {
      if (texts.length > 0) gathered.parts.push({ type: "reasoning", text: texts.splice(0).join("") });
    } else if (event.type === "call-start") addCall(event.id);
    else if (event.type === "call-end") addCall(event.call.id);
    else if (event.type === "answer-start") gathered.model = event.model;
    else if (event.type === "usage") gathered.usage = event.usage;
    else if (event.type === "answer-end") gathered.reason = event.reason;
  }
  endText();
  return gathered;
}

/** The same answer, with texts that turned out to be reasoning reported as reasoning from their start. */
export function thoughtsTold(events: readonly ModelEvent[]): ModelEvent[] {
  const told: ModelEvent[] = [];
  let textFrom = 0;
  for (const event of events) {
    if (event.type === "text-was-reasoning") {
      const thought = told.splice(textFrom).map(asReasoning);
      if (thought.length > 0) told.push(...thought, { type: "reasoning-end" });
    } else told.push(event);
    if (event.type !== "text-delta" && event.type !== "notice" && event.type !== "withheld")
      textFrom = told.length;
  }
  return told;
}

const asReasoning = (event: ModelEvent): ModelEvent =>
  event.type === "text-delta" ? { type: "reasoning-delta", text: event.text } : event;

/**
 * The arguments of an unreadable call, as a text that no other parser can read either: a client must never run the tool
 * with the empty input that replaces them here.
 */
export function unreadable(call: ToolCall): string {
  const raw = call.rawArguments ?? "";
  return readArguments(raw).problem === undefined ? `${raw} /* ${call.problem} */` : raw;
}
