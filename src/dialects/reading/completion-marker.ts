/** Removes `[TASK_COMPLETE]`, the marker with which some models are taught to signal completion (A27). */

import { type DoneMark, listenForMark, restOf, withoutMark } from "../../protocol/done-mark.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";

/** Returns each event without the marker in text and reasoning; the end event says whether there was one. */
export function eventFilter(): (event: ModelEvent | undefined) => readonly ModelEvent[] {
  const [text, reasoning] = [listenForMark(), listenForMark()];
  let last: ModelEvent["type"] | undefined;
  return (event) => {
    const before = event?.type === last ? [] : rests(reasoning, text);
    last = event?.type;
    if (event === undefined) return before;
    if (event.type === "answer-end" && text.isSaid) return [...before, { ...event, complete: true }];
    if (event.type !== "text-delta" && event.type !== "reasoning-delta") return [...before, event];
    const clean = withoutMark(event.type === "text-delta" ? text : reasoning, event.text);
    if (clean === event.text && before.length === 0) return [event];
    return clean === "" ? before : [...before, { type: event.type, text: clean }];
  };
}

function rests(reasoning: DoneMark, text: DoneMark): ModelEvent[] {
  const [thought, said] = [restOf(reasoning), restOf(text)];
  return [
    ...(thought === "" ? [] : [{ type: "reasoning-delta" as const, text: thought }]),
    ...(said === "" ? [] : [{ type: "text-delta" as const, text: said }]),
  ];
}
