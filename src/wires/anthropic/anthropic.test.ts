import { readFile } from "node:fs/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolCall } from "../../protocol/messages.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";
import { readAll, type StreamOutcome } from "../../testing/read-all.ts";
import { mergeDeltas } from "../testing/arbitraries.ts";
import { anthropic } from "./anthropic.ts";

const transcripts = new URL("../../../test/transcripts/anthropic/", import.meta.url);
const recorded = (name: string): Promise<Buffer> => readFile(new URL(name, transcripts));

const read = (bytes: Uint8Array, places?: number[]): Promise<StreamOutcome> =>
  readAll(anthropic, bytes, places);

const start = (model: string): ModelEvent => ({ type: "answer-start", model });
const text = (said: string): ModelEvent => ({ type: "text-delta", text: said });
const whole = (call: Omit<ToolCall, "source">, json?: string): ModelEvent[] => [
  { type: "call-start", id: call.id, name: call.name },
  ...(json === undefined ? [] : [{ type: "call-delta", id: call.id, json } as const]),
  { type: "call-end", call: { ...call, source: "native" } },
];
const signature = "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds";
const thinking = (said: string, signed: string): ModelEvent[] => [
  { type: "reasoning-delta", text: said },
  {
    type: "reasoning-end",
    state: { from: "anthropic", value: { type: "thinking", thinking: said, signature: signed } },
  },
];
const gcd =
  "I need to find the GCD of 1071 and 462 using the Euclidean algorithm.\n\n1071 = 2 × 462 + 147\n462 = 3 × 147 + 21\n147 = 7 × 21 + 0\nThe remainder is 0, so GCD(1071, 462) = 21.";
const noCache = { cacheReadTokens: 0, cacheWriteTokens: 0 };

const streams: Record<string, ModelEvent[]> = {
  "text.sse": [
    start("claude-opus-4-6"),
    text("Hello!"),
    { type: "usage", usage: { inputTokens: 25, outputTokens: 15 } },
    { type: "answer-end", reason: "stop" },
  ],
  "tool-call.sse": [
    start("claude-opus-4-6"),
    text("Okay, let's check the weather for San Francisco, CA:"),
    ...whole(
      {
        id: "toolu_01T1x1fJ34qAmk2tNTrN7Up6",
        name: "get_weather",
        input: { location: "San Francisco, CA", unit: "fahrenheit" },
      },
      '{"location": "San Francisco, CA", "unit": "fahrenheit"}',
    ),
    { type: "usage", usage: { inputTokens: 472, outputTokens: 89 } },
    { type: "answer-end", reason: "tool-calls" },
  ],
  "parallel-calls.sse": [
    start("claude-opus-4-6"),
    text("I'll check the weather in both cities."),
    ...whole(
      { id: "toolu_01", name: "get_weather", input: { location: "San Francisco, CA" } },
      '{"location": "San Francisco, CA"}',
    ),
    ...whole(
      { id: "toolu_02", name: "get_weather", input: { location: "New York, NY" } },
      '{"location": "New York, NY"}',
    ),
    ...whole({ id: "toolu_03", name: "get_time", input: {} }),
    { type: "usage", usage: { inputTokens: 512, outputTokens: 145, ...noCache } },
    { type: "answer-end", reason: "tool-calls" },
  ],
  "thinking.sse": [
    start("claude-opus-4-6"),
    ...thinking(gcd, signature),
    text("The greatest common divisor of 1071 and 462 is **21**."),
    { type: "answer-end", reason: "stop" },
  ],
  "interleaved-thinking.sse": [
    start("claude-opus-4-6"),
    ...thinking("I should look at the sales first.", signature),
    {
      type: "reasoning-end",
      state: {
        from: "anthropic",
        value: {
          type: "redacted_thinking",
          data: "EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIwxtE3rAFBa8cr3qpP",
        },
      },
    },
    ...whole(
      { id: "toolu_a1", name: "database_query", input: { query: "SELECT 1" } },
      '{"query": "SELECT 1"}',
    ),
    ...thinking("While that runs, the product page.", `${signature}2`),
    ...whole(
      { id: "toolu_a2", name: "database_query", input: { query: "SELECT 2" } },
      '{"query": "SELECT 2"}',
    ),
    {
      type: "usage",
      usage: {
        inputTokens: 2095 + 1800 + 51,
        outputTokens: 210,
        cacheReadTokens: 1800,
        cacheWriteTokens: 51,
        reasoningTokens: 67,
      },
    },
    { type: "answer-end", reason: "tool-calls" },
  ],
  "invalid-json.sse": [
    start("claude-sonnet-4-20250514"),
    text("I'll check the current weather in Paris for you."),
    ...whole(
      {
        id: "toolu_01NRLabsLyVHZPKxbKvkfSMn",
        name: "get_weather",
        input: {},
        problem: expect.stringContaining("not valid JSON") as string,
        fault: "malformed_arguments",
        rawArguments: '{"location": "Paris", "unit": celsius}',
      },
      '{"location": "Paris", "unit": celsius}',
    ),
    { type: "usage", usage: { inputTokens: 377, outputTokens: 65, ...noCache } },
    { type: "answer-end", reason: "tool-calls" },
  ],
  "refusal.sse": [
    start("claude-opus-4-7"),
    { type: "usage", usage: { inputTokens: 20, outputTokens: 120, reasoningTokens: 67 } },
    { type: "answer-end", reason: "refusal" },
  ],
  "server-tool.sse": [
    start("claude-sonnet-4-20250514"),
    text("Let me search for that."),
    { type: "usage", usage: { inputTokens: 42, outputTokens: 40, ...noCache } },
    { type: "answer-end", reason: "stop" },
  ],
};

for (const [name, expected] of Object.entries(streams))
  test(`the recorded stream ${name} gives its events, split at every byte and anywhere`, async () => {
    const bytes = await recorded(name);
    expect(mergeDeltas((await read(bytes)).events)).toEqual(expected);
    const everyByte = Array.from(bytes, (_, at) => at);
    expect(mergeDeltas((await read(bytes, everyByte)).events)).toEqual(expected);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat()), async (places) => {
        expect(mergeDeltas((await read(bytes, places)).events)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

test("the recorded whole reply gives its events", async () => {
  expect(anthropic.decodeWhole(JSON.parse((await recorded("whole.json")).toString()))).toEqual([
    start("claude-opus-4-6"),
    text("I'll check the current weather in San Francisco for you."),
    ...whole({
      id: "toolu_01A09q90qw90lq917835lq9",
      name: "get_weather",
      input: { location: "San Francisco, CA", unit: "celsius" },
    }),
    {
      type: "usage",
      usage: {
        inputTokens: 2095 + 2051 + 2051,
        outputTokens: 503,
        cacheReadTokens: 2051,
        cacheWriteTokens: 2051,
      },
    },
    { type: "answer-end", reason: "tool-calls" },
  ]);
});

test("an error event is a failure of its kind, mid-stream only if events came before", async () => {
  const first = await read(await recorded("error-first.sse"));
  expect(first.events).toEqual([]);
  expect(first.error).toMatchObject({ kind: "overloaded", midStream: false });
  const later = await read(await recorded("error-mid-stream.sse"));
  expect(later.events).toEqual([start("claude-opus-4-6"), text("Hello")]);
  expect(later.error).toMatchObject({
    kind: "overloaded",
    midStream: true,
    inFull: "The provider is overloaded: Overloaded. Try again in a moment.",
  });
});

test("a stream truncated at any byte is a network failure and never completes an open call", async () => {
  for (const name of ["parallel-calls.sse", "invalid-json.sse"]) {
    const bytes = await recorded(name);
    const full = (await read(bytes)).events;
    const complete = full.filter((event) => event.type === "call-end");
    const end =
      Buffer.from(bytes).lastIndexOf('{"type": "message_stop"}') + '{"type": "message_stop"}'.length;
    for (let length = 0; length < end; length++) {
      const { events, error } = await read(bytes.subarray(0, length));
      expect(error).toMatchObject({ kind: "network", midStream: events.length > 0 });
      const ended = events.filter((event) => event.type === "call-end");
      expect(ended).toEqual(complete.slice(0, ended.length));
    }
  }
});
