/** What one asking of the model has said: kept so that it can be asked again, out of the client's sight. */

import type { AssistantPart, Call, Opaque } from "../../protocol/messages.ts";
import type { EndReason, ModelEvent } from "../../protocol/model-events.ts";

/** A call of the model and what came of it; without a problem it has gone out to the client. */
export type HeardCall = { call: Call; problem?: string };

export type Heard = {
  parts: AssistantPart[];
  calls: HeardCall[];
  end: { reason: EndReason; state?: Opaque } | undefined;
};

export const newHeard = (): Heard => ({ parts: [], calls: [], end: undefined });

/** Words as one part each, however many deltas they came in. */
export function noteWords(heard: Heard, event: ModelEvent): void {
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

export function noteCall(heard: Heard, call: Call, problem?: string): void {
  heard.parts.push({ type: "call", call });
  heard.calls.push(problem === undefined ? { call } : { call, problem });
}
