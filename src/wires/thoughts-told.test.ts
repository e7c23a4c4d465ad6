import { expect, test } from "vitest";
import type { ModelEvent } from "../protocol/model-events.ts";
import { thoughtsTold } from "./gather.ts";
import { wires } from "./index.ts";

/** Some models write no opening tag before a thought: only the closing tag reveals it. */

const events: ModelEvent[] = [
  { type: "answer-start", model: "m" },
  { type: "text-delta", text: "It mu" },
  { type: "text-delta", text: "st be a." },
  { type: "text-was-reasoning" },
  { type: "text-delta", text: "Look at a." },
  { type: "answer-end", reason: "stop" },
];

test("text later declared reasoning is sent as reasoning; otherwise nothing changes", () => {
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

test.each(Object.values(wires))("a whole answer of $name keeps thoughts out of its text", (wire) => {
  const reply = JSON.stringify(wire.encodeWhole(events));
  expect(reply).toContain('"Look at a."');
  expect(reply).not.toContain("be a.Look");
});
