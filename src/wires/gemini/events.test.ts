import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import { cutBytes } from "../../testing/byte-pieces.ts";
import { oneByOne } from "../frames.ts";
import { mergeDeltas } from "../testing/arbitraries.ts";
import { gemini } from "./gemini.ts";
import { stateOf } from "./state.ts";

const folder = new URL("../../../test/transcripts/gemini/", import.meta.url);
const transcript = (name: string): Promise<Buffer> => readFile(new URL(name, folder));

const read = (bytes: Uint8Array, places: readonly number[] = []): Promise<ModelEvent[]> =>
  collect(oneByOne(gemini.decodeBatches(cutBytes(bytes, places))));

/** Returns the events before the failure, and the failure. */
async function heardThenFailed(bytes: Uint8Array): Promise<{ heard: ModelEvent[]; error: ModelError }> {
  const heard: ModelEvent[] = [];
  try {
    for await (const event of oneByOne(gemini.decodeBatches(cutBytes(bytes, [])))) heard.push(event);
  } catch (error) {
    if (error instanceof ModelError) return { heard, error };
    throw error;
  }
  throw new Error("the stream did not fail");
}

const chunks = (...all: JsonObject[]): Buffer =>
  Buffer.from(all.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(""));

const candidate = (parts: Json[], rest: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: "model", parts }, ...rest }],
});

const call = (id: string, name: string, input: JsonObject, signature?: string): ModelEvent[] => [
  { type: "call-start", id, name },
  { type: "call-delta", id, json: JSON.stringify(input) },
  {
    type: "call-end",
    call: { id, name, input, source: "native", ...(signature ? { state: stateOf(signature) } : {}) },
  },
];

const expected: Record<string, ModelEvent[]> = {
  "text.sse": [
    { type: "answer-start", model: "gemini-2.5-flash" },
    { type: "text-delta", text: "AI works by finding patterns — even in 日本語 👩‍👩‍👧." },
    { type: "usage", usage: { inputTokens: 8, outputTokens: 12, cacheReadTokens: 4 } },
    { type: "answer-end", reason: "stop" },
  ],
  "thoughts.sse": [
    { type: "answer-start", model: "gemini-3-flash-preview" },
    { type: "reasoning-delta", text: "**Counting**\n\nI add the two numbers." },
    { type: "reasoning-end" },
    { type: "text-delta", text: "The sum is 2." },
    { type: "usage", usage: { inputTokens: 15, outputTokens: 62, reasoningTokens: 56 } },
    { type: "answer-end", reason: "stop", state: stateOf("EjQKMgEMOdbHU2lnbmF0dXJlQQ==") },
  ],
  "calls.sse": [
    { type: "answer-start", model: "gemini-3-pro-preview" },
    ...call("fc1", "check_flight", { flight: "AA100" }, "U2lnbmF0dXJlIEE="),
    ...call("fc2", "check_flight", { flight: "AA200", seats: 2 }),
    ...call("fc3", "list_taxis", {}),
    { type: "usage", usage: { inputTokens: 90, outputTokens: 70, reasoningTokens: 40 } },
    { type: "answer-end", reason: "tool-calls" },
  ],
  "streamed-arguments.sse": [
    { type: "answer-start", model: "gemini-3-pro-preview" },
    ...call("fc1", "controlLight", { brightness: 50, colorTemperature: "warm" }, "U2lnbmF0dXJlIEI="),
    ...call("fc2", "setScenes", {
      scenes: [{ name: "night", on: false, fade: null }, { name: "day" }],
      "a.b": [1],
    }),
    { type: "usage", usage: { inputTokens: 60, outputTokens: 20 } },
    { type: "answer-end", reason: "tool-calls" },
  ],
  "blocked.sse": [
    { type: "answer-start", model: "gemini-2.5-flash" },
    { type: "usage", usage: { inputTokens: 12, outputTokens: 0 } },
    { type: "answer-end", reason: "refusal" },
  ],
};

test.each(Object.keys(expected))("%s gives these events", async (name) => {
  expect(mergeDeltas(await read(await transcript(name)))).toEqual(expected[name]);
});

test("random bytes always yield a ModelError", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(Buffer.from('\n\ndata: {"candidates":[{'))),
      ),
      async (pieces) => {
        const { error } = await heardThenFailed(Buffer.concat(pieces));
        expect(["network", "server"]).toContain(error.kind);
      },
    ),
  );
});

test("chunks of any JSON shape yield only events or a ModelError", async () => {
  const key = fc.constantFrom(
    "candidates",
    "content",
    "parts",
    "functionCall",
    "name",
    "args",
    "partialArgs",
    "error",
  );
  const shape: fc.Arbitrary<Json> = fc.letrec<{ any: Json }>((tie) => ({
    any: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom<Json>(null, true, 7, "text", "STOP"),
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(key, tie("any"), { maxKeys: 4 }),
    ),
  })).any;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.dictionary(key, shape)), async (all) => {
      await read(chunks(...all)).catch((error: unknown) => expect(error).toBeInstanceOf(ModelError));
    }),
  );
});

test("an HTML page instead of a stream is a network failure without events", async () => {
  const page = Buffer.from("<html><body>502 Bad Gateway</body></html>");
  const { heard, error } = await heardThenFailed(page);
  expect(heard).toEqual([]);
  expect({ kind: error.kind, midStream: error.midStream }).toEqual({ kind: "network", midStream: false });
});

test("a text of 4 MB arrives whole, however it is split", async () => {
  const text = "aé👩".repeat(700_000);
  const bytes = chunks(candidate([{ text }], { finishReason: "STOP" }));
  const events = await read(bytes, [1_000_001, 2_000_003, 3_333_337]);
  expect(events[1]).toEqual({ type: "text-delta", text });
});

test("a call that Gemini could not parse fails as malformed, with the service's message", async () => {
  const { heard, error } = await heardThenFailed(await transcript("malformed-call.sse"));
  expect(heard).toEqual([]);
  expect(error).toMatchObject({
    kind: "malformed",
    midStream: false,
    message:
      "The model wrote a call that Gemini could not read (MALFORMED_FUNCTION_CALL): Malformed function call: print(default_api.check_flight(flight=)).",
    advice: "Try again, with plain JSON arguments.",
  });
});

test("an error mid-stream has its kind and retry delay", async () => {
  const { heard, error } = await heardThenFailed(await transcript("error.sse"));
  expect(heard.at(-1)).toEqual({ type: "text-delta", text: "Let me" });
  expect({ kind: error.kind, midStream: error.midStream, retryAfter: error.retryAfter }).toEqual({
    kind: "overloaded",
    midStream: true,
    retryAfter: 2500,
  });
});

test.each([
  ["STOP", "tool-calls"],
  ["MAX_TOKENS", "length"],
  ["SAFETY", "refusal"],
  ["RECITATION", "refusal"],
  ["SOMETHING_NEW", "tool-calls"],
])("an answer with a call that finishes with %s ends with %s", async (finishReason, reason) => {
  const part = { functionCall: { id: "a", name: "f", args: {} } };
  const events = await read(chunks(candidate([part], { finishReason })));
  expect(events.at(-1)).toEqual({ type: "answer-end", reason });
});

test("calls without ids get distinct ones", async () => {
  const part = { functionCall: { name: "f", args: { a: 1 } } };
  const events = await read(chunks(candidate([part, part], { finishReason: "STOP" })));
  const ids = events.flatMap((event) => (event.type === "call-end" ? [event.call.id] : []));
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^call_/);
});

const malformed: Partial<ToolCall> = {
  input: {},
  problem: expect.any(String) as string,
  fault: "malformed_arguments",
};

test.each<[Json, Partial<ToolCall>]>([
  ['{"a":1}', { input: { a: 1 } }],
  ["{broken", { ...malformed, rawArguments: "{broken" }],
  [[1, 2], { ...malformed, rawArguments: "[1,2]" }],
  [null, { input: {} }],
])("arguments that come as %j are read or marked", async (args, wanted) => {
  const part = { functionCall: { id: "a", name: "f", args } };
  const events = await read(chunks(candidate([part], { finishReason: "STOP" })));
  expect(events[3]).toEqual({
    type: "call-end",
    call: { id: "a", name: "f", source: "native", ...wanted },
  });
});

test.each<[string, JsonObject]>([
  ["a path into a text", { jsonPath: "$.a.b", stringValue: "x" }],
  ["a huge index", { jsonPath: "$.list[999999999]", numberValue: 1 }],
  ["no path", { stringValue: "x" }],
  ["no value", { jsonPath: "$.c" }],
  ["a filter", { jsonPath: "$.list[?@.a]", numberValue: 1 }],
  ["a path that is too deep", { jsonPath: `$${".a".repeat(200)}`, numberValue: 1 }],
])("a streamed argument with %s makes the call unreadable", async (_, broken) => {
  const opened = { functionCall: { id: "a", name: "f", willContinue: true } };
  const values = { functionCall: { partialArgs: [{ jsonPath: "$.a", stringValue: "t" }, broken] } };
  const events = await read(chunks(candidate([opened]), candidate([values], { finishReason: "STOP" })));
  const ended = events.find((event) => event.type === "call-end")?.call;
  expect(ended?.input).toEqual({});
  expect(ended?.problem).toMatch(/^Part of the arguments could not be placed/);
});

test("a streamed argument named __proto__ stays data", async () => {
  const opened = { functionCall: { id: "a", name: "f", willContinue: true } };
  const values = { functionCall: { partialArgs: [{ jsonPath: "$.__proto__.polluted", boolValue: true }] } };
  const events = await read(chunks(candidate([opened]), candidate([values], { finishReason: "STOP" })));
  const input = events.find((event) => event.type === "call-end")?.call.input;
  expect(JSON.stringify(input)).toBe('{"__proto__":{"polluted":true}}');
  expect("polluted" in {}).toBe(false);
});

test("a streamed call truncated by the end of the answer is marked as truncated", async () => {
  const opened = { functionCall: { id: "a", name: "rm", willContinue: true } };
  const values = {
    functionCall: { partialArgs: [{ jsonPath: "$.path", stringValue: "/srv/old" }], willContinue: true },
  };
  const events = await read(chunks(candidate([opened]), candidate([values], { finishReason: "MAX_TOKENS" })));
  expect(events.find((event) => event.type === "call-end")).toEqual({
    type: "call-end",
    call: {
      id: "a",
      name: "rm",
      input: {},
      source: "native",
      problem: "The arguments were cut off before their end.",
      fault: "truncated",
      rawArguments: '{"path":"/srv/old"}',
    },
  });
});

test("a whole reply gives the same events as a stream", async () => {
  const body: unknown = JSON.parse((await transcript("whole.json")).toString());
  const args = { attendees: ["Bob", "Alice"], date: "2025-03-27", time: "10:00", topic: "Q3 planning" };
  expect(gemini.decodeWhole(body)).toEqual([
    { type: "answer-start", model: "gemini-3-flash-preview" },
    { type: "reasoning-delta", text: "I plan the meeting." },
    { type: "reasoning-end" },
    { type: "text-delta", text: "Scheduling." },
    ...call("fc9", "schedule_meeting", args, "U2lnbmF0dXJlIEM="),
    { type: "usage", usage: { inputTokens: 50, outputTokens: 40, reasoningTokens: 18 } },
    { type: "answer-end", reason: "tool-calls" },
  ]);
});

test.each([undefined, null, 7, "text", [], {}, { candidates: {} }, { candidates: [{ content: 7 }] }])(
  "a whole reply of %j fails with a ModelError",
  (body) => {
    expect(() => gemini.decodeWhole(body)).toThrow(ModelError);
  },
);
