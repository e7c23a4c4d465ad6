/** Takes out `[TASK_COMPLETE]`, with which some models are taught to say that they are done (A27). */
import type { ModelEvent } from "../../protocol/model-events.ts";

const marker = "[TASK_COMPLETE]";

export interface MarkerFilter {
  /** The text without the marker; what may still become one is held back. */
  push(text: string): string;
  /** Nothing follows: what was held back is text. */
  end(): string;
  /** Whether there was one. */
  readonly isFound: boolean;
}

export function markerFilter(): MarkerFilter {
  let held = "";
  let isFound = false;
  return {
    get isFound() {
      return isFound;
    },
    push(text) {
      if (held === "" && !text.includes("[")) return text;
      const whole = (held + text).replaceAll(/\[TASK_COMPLETE\]/gi, "");
      if (whole.length < held.length + text.length) isFound = true;
      const tail = openTail(whole);
      held = whole.slice(whole.length - tail);
      return whole.slice(0, whole.length - tail);
    },
    end() {
      const rest = held;
      held = "";
      return rest;
    },
  };
}

/** Takes events one by one and gives them back without the marker in text and reasoning; the answer's end tells of one. */
export function eventFilter(): (event: ModelEvent | undefined) => readonly ModelEvent[] {
  const text = markerFilter();
  const reasoning = markerFilter();
  const rest = (): ModelEvent[] => {
    const [thought, said] = [reasoning.end(), text.end()];
    return [
      ...(thought === "" ? [] : [{ type: "reasoning-delta" as const, text: thought }]),
      ...(said === "" ? [] : [{ type: "text-delta" as const, text: said }]),
    ];
  };
  let last: ModelEvent["type"] | undefined;
  return (event) => {
    const before = event?.type === last ? [] : rest();
    last = event?.type;
    if (event === undefined) return before;
    if (event.type === "answer-end" && text.isFound) return [...before, { ...event, complete: true }];
    if (event.type !== "text-delta" && event.type !== "reasoning-delta") return [...before, event];
    const clean = (event.type === "text-delta" ? text : reasoning).push(event.text);
    if (clean === event.text && before.length === 0) return [event];
    return clean === "" ? before : [...before, { type: event.type, text: clean }];
  };
}

/** How many of the last characters may be the beginning of the marker. */
function openTail(text: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length -= 1)
    if (marker.startsWith(text.slice(-length).toUpperCase())) return length;
  return 0;
}
