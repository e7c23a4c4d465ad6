/** Stop sequences, applied by this server as well because not every provider supports them. */

import { figureOf } from "../base/bound.ts";
import type { EndReason, ModelEvent } from "../protocol/model-events.ts";
import { badField } from "../wires/ask-fields.ts";
import { lmServerBounds } from "./bounds.ts";

const { stops: mostStops, stopLength } = lmServerBounds;

/** Throws ModelError. */
export function checkStops(stops: readonly string[] = []): void {
  if (stops.length > mostStops.most) throw badField("stop", `at most ${mostStops.most} stop sequences`);
  if (stops.some(({ length }) => length > stopLength.most))
    throw badField("stop", `stop sequences of at most ${figureOf(stopLength)}`);
}

/**
 * Passes the events through up to the first stop sequence in the text, and abandons the rest of the answer.
 * `eventsBeforeEnd` receives the text; the events it returns are sent before the end.
 */
export async function* untilStop(
  events: AsyncIterable<ModelEvent>,
  wanted: readonly string[],
  eventsBeforeEnd: (said: string) => ModelEvent[],
): AsyncGenerator<ModelEvent> {
  const scan: StopScan = { stops: wanted.filter((stop) => stop !== ""), held: "", isOver: false };
  const told: string[] = [];
  let reason: EndReason = "stop";
  for await (const event of events) {
    for (const out of filterEvent(event, scan)) {
      if (out.type === "text-delta") told.push(out.text);
      if (out.type === "call-end") reason = "tool-calls";
      yield out;
    }
    if (scan.isOver) break;
  }
  if (!scan.isOver) return;
  for (const before of eventsBeforeEnd(told.join(""))) yield before;
  yield { type: "answer-end", reason };
}

/** `held`: the end of the text, while it may be the beginning of a stop sequence. */
type StopScan = { stops: readonly string[]; held: string; isOver: boolean };

function filterEvent(event: ModelEvent, scan: StopScan): ModelEvent[] {
  const text = event.type === "text-delta" ? release(scan.held + event.text, scan) : scan.held;
  const said: ModelEvent[] = text === "" ? [] : [{ type: "text-delta", text }];
  if (event.type === "text-delta") return said;
  scan.held = "";
  return [...said, event];
}

/** The part of a text that is safe to send. */
function release(text: string, scan: StopScan): string {
  const places = scan.stops.map((stop) => text.indexOf(stop)).filter((at) => at !== -1);
  scan.isOver = places.length > 0;
  if (scan.isOver) return text.slice(0, Math.min(...places));
  scan.held = begunIn(scan.stops, text);
  return text.slice(0, text.length - scan.held.length);
}

/** The end of the text that may be the beginning of a stop sequence. */
function begunIn(stops: readonly string[], text: string): string {
  const longest = Math.max(0, ...stops.map(({ length }) => length - 1));
  for (let from = Math.max(0, text.length - longest); from < text.length; from += 1) {
    const end = text.slice(from);
    if (stops.some((stop) => stop.startsWith(end))) return end;
  }
  return "";
}
