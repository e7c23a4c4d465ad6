import { expect, test } from "vitest";
import type { Ask, Message } from "../protocol/messages.ts";
import { wires } from "./index.ts";

const before: Message[] = [
  { role: "user", content: [{ type: "text", text: "Look." }] },
  {
    role: "assistant",
    content: [
      { type: "text", text: "I look." },
      { type: "call", call: { id: "call_1", name: "read_file", input: { path: "a.ts" }, source: "native" } },
    ],
  },
  {
    role: "tool",
    callId: "call_1",
    name: "read_file",
    content: [{ type: "text", text: "one" }],
    isError: false,
  },
];
const after: Message[] = [...before, { role: "user", content: [{ type: "text", text: "And now?" }] }];
const askOf = (messages: Message[]): Ask => ({ model: "some-model", system: "Help.", messages, tools: [] });

/** All encoded objects in a value, at any depth, to check that they are reused. */
function formsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  if (Object.isFrozen(value)) return [value];
  return Object.values(value).flatMap(formsIn);
}

test.each(Object.values(wires))("$name encodes a message only once and never mutates the result", (wire) => {
  const first = wire.encodeAsk(askOf(before), { streamed: true });
  const text = JSON.stringify(first);
  const second = formsIn(wire.encodeAsk(askOf(after), { streamed: true }));
  const forms = formsIn(first);
  expect(forms.length).toBeGreaterThan(1);
  expect(forms.filter((form) => !second.includes(form))).toEqual([]);
  expect(JSON.stringify(first)).toBe(text);
  expect(wire.encodeAsk(askOf(before), { streamed: true })).toEqual(first);
});
