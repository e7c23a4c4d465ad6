import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ModelEvent } from "../protocol/model-events.ts";
import { joinDeltas } from "./join-deltas.ts";

const text = (text: string): ModelEvent => ({ type: "text-delta", text });
const thought = (text: string): ModelEvent => ({ type: "reasoning-delta", text });
const piece = (id: string, json: string): ModelEvent => ({ type: "call-delta", id, json });
const start: ModelEvent = { type: "call-start", id: "b", name: "read_file" };

test("adjacent deltas of the same kind and the same call are joined", () => {
  expect(
    joinDeltas([
      thought("a"),
      thought("b"),
      text("c"),
      text("d"),
      piece("a", "{"),
      piece("a", "}"),
      piece("b", "{"),
    ]),
  ).toEqual([thought("ab"), text("cd"), piece("a", "{}"), piece("b", "{")]);
});

test("deltas with another event between them are not joined", () => {
  const events = [text("a"), start, text("b"), { type: "reasoning-end" } as const, thought("c")];
  expect(joinDeltas(events)).toEqual(events);
});

const event = fc.oneof(
  fc.string({ maxLength: 3 }).map(text),
  fc.string({ maxLength: 3 }).map(thought),
  fc.tuple(fc.constantFrom("a", "b"), fc.string({ maxLength: 3 })).map(([id, json]) => piece(id, json)),
  fc.constant(start),
);

/** Splits each delta into single characters. */
const apart = (events: readonly ModelEvent[]): ModelEvent[] =>
  events.flatMap((event): ModelEvent[] => {
    if (event.type === "call-delta") return event.json.split("").map((json) => ({ ...event, json }));
    return "text" in event ? event.text.split("").map((text) => ({ ...event, text })) : [event];
  });

test("no text is lost or reordered, and no joinable deltas remain", () => {
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const joined = joinDeltas(events);
      expect(apart(joined)).toEqual(apart(events));
      expect(joinDeltas(joined)).toEqual(joined);
    }),
  );
});
