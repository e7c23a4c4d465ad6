/** Records one attempt of the model, so that it can be asked again without the client noticing. */

import type { AssistantPart, ToolCall, Opaque } from "../protocol/messages.ts";
import type { EndReason, ModelEvent } from "../protocol/model-events.ts";

/** A call from the model and its fate; without a problem it was sent to the client. */
export type HeardCall = { call: ToolCall; problem?: string };

export type ModelAttempt = {
  parts: AssistantPart[];
  calls: HeardCall[];
  end: { reason: EndReason; state?: Opaque } | undefined;
};

export const newHeard = (): ModelAttempt => ({ parts: [], calls: [], end: undefined });

/** Merges deltas of the same kind into one part. */
export function noteWords(heard: ModelAttempt, event: ModelEvent): void {
  const last = heard.parts.at(-1);
  switch (event.type) {
    case "text-delta":
      if (last?.type === "text") last.text += event.text;
      else heard.parts.push({ type: "text", text: event.text });
      return;
    case "reasoning-delta":
      if (last?.type === "reasoning" && last.state === undefined) last.text += event.text;
      else heard.parts.push({ type: "reasoning", text: event.text });
      return;
    case "reasoning-end":
      if (event.state === undefined) return;
      if (last?.type === "reasoning" && last.state === undefined) last.state = event.state;
      else heard.parts.push({ type: "reasoning", text: "", state: event.state });
      return;
    case "text-was-reasoning":
      if (last?.type === "text") heard.parts[heard.parts.length - 1] = { type: "reasoning", text: last.text };
      return;
    default:
  }
}

export function noteCall(heard: ModelAttempt, call: ToolCall, problem?: string): void {
  heard.parts.push({ type: "call", call });
  heard.calls.push(problem === undefined ? { call } : { call, problem });
}
