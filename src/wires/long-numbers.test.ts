/** Arguments with numbers that a double cannot hold keep their digits wherever they travel as text. */

import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import { parseJson } from "../base/json.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import { wires } from "./index.ts";

const raw = '{ "id": 12345678901234567890 }';
const digits = "12345678901234567890";
const events: ModelEvent[] = [
  { type: "answer-start", model: "m" },
  { type: "call-start", id: "call_1", name: "find" },
  { type: "call-delta", id: "call_1", json: raw },
  {
    type: "call-end",
    call: { id: "call_1", name: "find", input: JSON.parse(raw), source: "native", rawArguments: raw },
  },
  { type: "answer-end", reason: "tool-calls" },
];

const callsIn = (heard: readonly ModelEvent[]): unknown[] =>
  heard.flatMap((event) => (event.type === "call-end" ? [event.call.rawArguments] : []));

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield new TextEncoder().encode(text);
}

async function* told(): AsyncGenerator<ModelEvent> {
  yield* events;
}

const { anthropic, cohere, "openai-chat": chat, "openai-responses": responses } = wires;

test.each([chat, responses, cohere, anthropic])("a streamed answer of $name keeps digits", async (wire) => {
  const heard = (await collect(wire.decodeBatches(bytesOf(wire.encodeEvents(told()))))).flat();
  expect(callsIn(heard)).toEqual([raw]);
});

test.each([chat, responses, cohere])("a whole answer and history of $name keep digits", (wire) => {
  const whole = JSON.stringify(wire.encodeWhole(events));
  expect(whole).toContain(digits);
  const parsed = parseJson(whole);
  expect(parsed.ok && callsIn(wire.decodeWhole(parsed.value))).toEqual([raw]);
  const call = { id: "call_1", name: "find", input: JSON.parse(raw), source: "native", rawArguments: raw };
  const body = wire.encodeAsk(
    {
      model: "m",
      system: "",
      tools: [],
      messages: [
        { role: "user", content: [{ type: "text", text: "Find it." }] },
        { role: "assistant", content: [{ type: "call", call }] },
        { role: "tool", callId: "call_1", name: "find", content: [], isError: false },
      ],
    },
    { streamed: true },
  );
  expect(JSON.stringify(body)).toContain(digits);
});
