import * as fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import type { Ask, Message, Opaque } from "../../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import { cutBytes } from "../../testing/byte-pieces.ts";
import { scale } from "../../testing/scale.ts";
import { oneByOne } from "../frames.ts";
import {
  asks,
  calls,
  inBlocks,
  mergeDeltas,
  modelEvents,
  withoutCallDeltas,
} from "../testing/arbitraries.ts";
import { asStream } from "../testing/stream-summary.ts";
import { anthropic } from "./anthropic.ts";

const bytesOf = (texts: string[]): Uint8Array => new TextEncoder().encode(texts.join(""));

/** A signed thinking block with this text, as Anthropic sends it; sometimes none, as with gateways. */
const signed = (text: string): fc.Arbitrary<Opaque | undefined> =>
  fc.option(
    fc.base64String({ minLength: 4, maxLength: 40 }).map((signature) => ({
      from: "anthropic",
      value: { type: "thinking", thinking: text, signature },
    })),
    { nil: undefined },
  );

/** Adds the counts that the format always has. */
const counted = (events: ModelEvent[]): ModelEvent[] =>
  events.some((event) => event.type === "usage")
    ? events
    : [
        ...events.slice(0, -1),
        { type: "usage", usage: { inputTokens: 0, outputTokens: 0 } },
        ...events.slice(-1),
      ];

/** In a whole reply, an empty last call cannot be distinguished from one that the length stop cut off. */
function doubtLast(events: ModelEvent[]): ModelEvent[] {
  const last = events.findLast((event) => event.type !== "usage" && event.type !== "answer-end");
  const end = events.at(-1);
  if (last?.type !== "call-end" || end?.type !== "answer-end" || end.reason !== "length") return events;
  if (Object.keys(last.call.input).length > 0) return events;
  const problem = expect.any(String) as string;
  const doubted = { ...last, call: { ...last.call, problem, fault: "truncated", rawArguments: "" } };
  return events.map((event) => (event === last ? doubted : event));
}

test("D5: every answer survives streaming, however the stream is split", async () => {
  await fc.assert(
    fc.asyncProperty(modelEvents({ reasoningState: signed }), fc.array(fc.nat()), async (events, places) => {
      const bytes = bytesOf(await collect(anthropic.encodeEvents(asStream(events))));
      const read = await collect(oneByOne(anthropic.decodeBatches(cutBytes(bytes, places))));
      expect(inBlocks(read)).toEqual(mergeDeltas(read));
      expect(mergeDeltas(read)).toEqual(counted(inBlocks(events)));
    }),
    { numRuns: 100 * scale },
  );
});

test("every answer survives as a whole reply", () => {
  fc.assert(
    fc.property(modelEvents({ reasoningState: signed }), (events) => {
      const read = anthropic.decodeWhole(JSON.parse(JSON.stringify(anthropic.encodeWhole(events))));
      expect(withoutCallDeltas(read)).toEqual(counted(doubtLast(withoutCallDeltas(inBlocks(events)))));
    }),
    { numRuns: 100 * scale },
  );
});

test("redacted reasoning survives, streamed and whole", async () => {
  const state = { from: "anthropic", value: { type: "redacted_thinking", data: "EmwK" } };
  const events: ModelEvent[] = [
    { type: "answer-start", model: "m" },
    { type: "reasoning-delta", text: "Hm." },
    { type: "reasoning-end" },
    { type: "reasoning-end", state },
    { type: "text-delta", text: "Hi" },
    { type: "usage", usage: { inputTokens: 1, outputTokens: 1 } },
    { type: "answer-end", reason: "stop" },
  ];
  const bytes = bytesOf(await collect(anthropic.encodeEvents(asStream(events))));
  expect(await collect(oneByOne(anthropic.decodeBatches(cutBytes(bytes, []))))).toEqual(events);
  expect(anthropic.decodeWhole(anthropic.encodeWhole(events))).toEqual(events);
});

const callTo = (id: string): { id: string; name: string; input: { a: string }; source: string } => ({
  id,
  name: "f",
  input: { a: id },
  source: "native",
});

test("D5: interleaved calls become consecutive blocks in the documented order", async () => {
  const events: ModelEvent[] = [
    { type: "answer-start", model: "m" },
    { type: "text-delta", text: "Both." },
    { type: "call-start", id: "x", name: "f" },
    { type: "call-start", id: "y", name: "f" },
    { type: "call-delta", id: "y", json: '{"a":"y"}' },
    { type: "call-delta", id: "x", json: '{"a":' },
    { type: "call-end", call: callTo("y") },
    { type: "call-delta", id: "x", json: '"x"}' },
    { type: "call-end", call: callTo("x") },
    { type: "answer-end", reason: "stop" },
  ];
  const frames = (await collect(anthropic.encodeEvents(asStream(events))))
    .join("")
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => JSON.parse(frame.slice(frame.indexOf("data: ") + 6)) as Record<string, unknown>);
  const input = { input: {}, type: "tool_use", name: "f" };
  expect(frames).toMatchObject([
    { type: "message_start", message: { role: "assistant", content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Both." } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { ...input, id: "x" } },
    { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"a":' } },
    { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '"x"}' } },
    { type: "content_block_stop", index: 1 },
    { type: "content_block_start", index: 2, content_block: { ...input, id: "y" } },
    { type: "content_block_delta", index: 2, delta: { partial_json: '{"a":"y"}' } },
    { type: "content_block_stop", index: 2 },
    { type: "message_delta", delta: { stop_reason: "tool_use" } },
    { type: "message_stop" },
  ]);
});

test("a call with unreadable arguments stays unreadable for the client", async () => {
  await fc.assert(
    fc.asyncProperty(
      calls(),
      fc.constantFrom("", "{}", '{"a":', "{'a': 1}"),
      fc.boolean(),
      async (call, rawArguments, streamed) => {
        const broken = { ...call, input: {}, problem: "It was cut off.", rawArguments };
        const events: ModelEvent[] = [
          { type: "answer-start", model: "m" },
          { type: "call-start", id: call.id, name: call.name },
          ...(streamed ? [{ type: "call-delta", id: call.id, json: rawArguments } as const] : []),
          { type: "call-end", call: broken },
          { type: "answer-end", reason: "tool-calls" },
        ];
        const bytes = bytesOf(await collect(anthropic.encodeEvents(asStream(events))));
        const read = await collect(oneByOne(anthropic.decodeBatches(cutBytes(bytes, []))));
        for (const event of [...read, ...anthropic.decodeWhole(anthropic.encodeWhole(events))])
          if (event.type === "call-end")
            expect(event.call).toMatchObject({ input: {}, problem: expect.any(String) as string });
      },
    ),
  );
});

test("a stream without its end, or with changed arguments of a call, closes with an error event", async () => {
  const begun: ModelEvent[] = [
    { type: "answer-start", model: "m" },
    { type: "call-start", id: "x", name: "f" },
    { type: "call-delta", id: "x", json: '{"a": 1}' },
  ];
  const changed: ModelEvent = { type: "call-end", call: { id: "x", name: "f", input: {}, source: "native" } };
  for (const events of [begun, [...begun, changed]]) {
    const texts = await collect(anthropic.encodeEvents(asStream(events)));
    expect(texts.at(-1)).toMatch(/^event: error\ndata: \{"type":"error","error":\{"type":"api_error"/);
  }
  await expect(collect(anthropic.encodeEvents(asStream([])))).rejects.toThrow(ModelError);
});

const context = { off: 0, low: 2048, medium: 6144, high: 12_288 };
const isForced = (ask: Ask): boolean =>
  ask.tools.length > 0 && (ask.toolChoice === "required" || typeof ask.toolChoice === "object");

/** The parts of a request that the format can carry, as the encoder's comment lists them. */
function carried(ask: Ask): Ask {
  const { contextTokens: _, toolChoice, temperature, reasoning, ...rest } = ask;
  const effort = isForced(ask) && reasoning !== "off" ? undefined : reasoning;
  const thinks = effort !== undefined && effort !== "off";
  return {
    ...rest,
    messages: mergeTurns(ask.messages.map(carriedMessage)),
    maxTokens: ask.maxTokens ?? 16_384 + context[effort ?? "off"],
    ...(toolChoice && ask.tools.length > 0 ? { toolChoice } : {}),
    ...(temperature === undefined || thinks ? {} : { temperature }),
    ...(effort ? { reasoning: effort } : {}),
  };
}

function carriedMessage(message: Message): Message {
  if (message.role === "tool" && message.isError && message.content.length === 0)
    return { ...message, content: [{ type: "text", text: "(no output)" }] };
  if (message.role !== "assistant") return message;
  return { ...message, content: message.content.filter((part) => part.type !== "reasoning" || part.state) };
}

/** Merges neighbouring messages of one role and drops empty assistant messages. */
function mergeTurns(messages: Message[]): Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (message.role === "tool") merged.push(message);
    else if (message.content.length === 0) continue;
    else if (last?.role === "user" && message.role === "user") last.content.push(...message.content);
    else if (last?.role === "assistant" && message.role === "assistant")
      last.content.push(...message.content);
    else merged.push({ ...message, content: [...message.content] } as Message);
  }
  return merged;
}

const wideAsks = asks({ reasoningState: signed }).map((ask) =>
  ask.maxTokens !== undefined && ask.reasoning !== undefined
    ? { ...ask, maxTokens: ask.maxTokens + 30_000 }
    : ask,
);

test("D7: every request survives encoding and decoding", () => {
  fc.assert(
    fc.property(wideAsks, fc.boolean(), (ask, streamed) => {
      const body: unknown = JSON.parse(JSON.stringify(anthropic.encodeAsk(ask, { streamed })));
      expect(anthropic.decodeAsk(body)).toEqual({ ask: carried(ask), streamed });
    }),
    { numRuns: 100 * scale },
  );
});
