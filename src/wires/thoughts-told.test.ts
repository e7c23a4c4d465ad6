import { expect, test } from "vitest";
import type { ModelEvent } from "../protocol/model-events.ts";
import { thoughtsTold } from "./gather.ts";
import { wires } from "./index.ts";

/** Some models write no opening mark before they think: only its end shows that a text was a thought. */

const events: ModelEvent[] = [
  { type: "answer-start", model: "m" },
  { type: "text-delta", text: "It mu" },
  { type: "text-delta", text: "st be a." },
  { type: "text-was-reasoning" },
  { type: "text-delta", text: "Look at a." },
  { type: "answer-end", reason: "stop" },
];

test("a text that was reasoning is told as reasoning; without one nothing changes", () => {
  expect(thoughtsTold(events)).toEqual([
    { type: "answer-start", model: "m" },
    { type: "reasoning-delta", text: "It mu" },
    { type: "reasoning-delta", text: "st be a." },
    { type: "reasoning-end" },
    { type: "text-delta", text: "Look at a." },
    { type: "answer-end", reason: "stop" },
  ]);
  const plain = events.filter(({ type }) => type !== "text-was-reasoning");
  expect(thoughtsTold(plain)).toEqual(plain);
});

test.each(Object.values(wires))("no whole answer of $name has the thought in its text", (wire) => {
  const reply = JSON.stringify(wire.encodeWhole(events));
  expect(reply).toContain('"Look at a."');
  expect(reply).not.toContain("be a.Look");
});
