import { readFile } from "node:fs/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolCall } from "../../protocol/messages.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";
import { readAll, type StreamOutcome } from "../../testing/read-all.ts";
import { scale } from "../../testing/scale.ts";
import { mergeDeltas } from "../testing/arbitraries.ts";
import { ollama } from "./ollama.ts";

const transcripts = new URL("../../../test/transcripts/ollama/", import.meta.url);
const recorded = (name: string): Promise<Buffer> => readFile(new URL(name, transcripts));
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const lines = (...objects: unknown[]): Uint8Array =>
  bytesOf(objects.map((object) => `${JSON.stringify(object)}\n`).join(""));

const read = (bytes: Uint8Array, places?: number[]): Promise<StreamOutcome> => readAll(ollama, bytes, places);

const madeId = expect.stringMatching(/^call_\w{16}$/) as string;
const start = (model: string): ModelEvent => ({ type: "answer-start", model });
const text = (said: string): ModelEvent => ({ type: "text-delta", text: said });
const called = (name: string, city: string): ModelEvent[] => [
  { type: "call-start", id: madeId, name },
  { type: "call-end", call: { id: madeId, name, input: { city }, source: "native" } },
];
const usage = (inputTokens: number, outputTokens: number): ModelEvent => ({
  type: "usage",
  usage: { inputTokens, outputTokens },
});

const streams: Record<string, ModelEvent[]> = {
  "text.ndjson": [start("llama3.2"), text("The sky"), usage(26, 282), { type: "answer-end", reason: "stop" }],
  "tool-call.ndjson": [
    start("llama3.2"),
    ...called("get_weather", "Tokyo"),
    usage(169, 15),
    { type: "answer-end", reason: "tool-calls" },
  ],
  "parallel-calls.ndjson": [
    start("qwen3"),
    ...called("get_temperature", "New York"),
    ...called("get_conditions", "New York"),
    ...called("get_temperature", "London"),
    ...called("get_temperature", "London"),
    usage(240, 96),
    { type: "answer-end", reason: "tool-calls" },
  ],
  "thinking.ndjson": [
    start("qwen3"),
    { type: "reasoning-delta", text: "Okay, 17 × 23 is 391." },
    { type: "reasoning-end" },
    text("391."),
    usage(18, 140),
    { type: "answer-end", reason: "length" },
  ],
};

for (const [name, expected] of Object.entries(streams))
  test(`A16: the recorded stream ${name} gives its events, split at every byte and anywhere`, async () => {
    const bytes = await recorded(name);
    const everyByte = Array.from(bytes, (_, at) => at);
    for (const places of [[], everyByte])
      expect(mergeDeltas((await read(bytes, places)).events)).toEqual(expected);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat()), async (places) => {
        expect(mergeDeltas((await read(bytes, places)).events)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

test("A16: identical calls stay separate calls with ids of their own", async () => {
  const { events } = await read(await recorded("parallel-calls.ndjson"));
  const ids = events.flatMap((event) => (event.type === "call-end" ? [event.call.id] : []));
  expect(new Set(ids).size).toBe(4);
});

test("the recorded whole reply gives its events", async () => {
  expect(ollama.decodeWhole(JSON.parse((await recorded("whole.json")).toString()))).toEqual([
    start("llama3.2"),
    ...called("get_weather", "Tokyo"),
    usage(169, 18),
    { type: "answer-end", reason: "tool-calls" },
  ]);
});

test("an error line is a failure, mid-stream only if events came before", async () => {
  const later = await read(await recorded("error-mid-stream.ndjson"));
  expect(later.events).toEqual([start("gemma3"), text(" Yes"), text(".")]);
  expect(later.error).toMatchObject({
    kind: "server",
    midStream: true,
    inFull: "The provider failed: an error was encountered while running the model. Try again in a moment.",
  });
  const first = await read(lines({ error: "error parsing tool call: raw='{\"a\":'" }));
  expect(first.events).toEqual([]);
  expect(first.error).toMatchObject({ kind: "server", midStream: false });
});

test("a stream truncated at any byte is a network failure and never completes an open call", async () => {
  for (const name of Object.keys(streams)) {
    const bytes = await recorded(name);
    const full = (await read(bytes)).events;
    const count = full.filter((event) => event.type === "call-end").length;
    for (let length = 0; length < bytes.length - 1; length++) {
      const { events, error } = await read(bytes.subarray(0, length));
      expect(error).toMatchObject({ kind: "network", midStream: events.length > 0 });
      expect(events.some((event) => event.type === "answer-end")).toBe(false);
      expect(events.filter((event) => event.type === "call-end").length).toBeLessThanOrEqual(count);
    }
  }
});

const chunk = (message: object, more: object = {}): object => ({
  model: "m",
  message: { role: "assistant", content: "", ...message },
  done: false,
  ...more,
});
const done = { model: "m", message: { role: "assistant", content: "" }, done: true, done_reason: "stop" };

async function callOf(value: unknown): Promise<ToolCall | undefined> {
  const { events } = await read(lines(chunk({ tool_calls: [value] }), done));
  return events.flatMap((event) => (event.type === "call-end" ? [event.call] : []))[0];
}
const asked = (args: unknown, more: object = {}): object => ({
  ...more,
  function: { name: "f", arguments: args },
});

test("arguments may be an object, a string or absent; unreadable ones are marked", async () => {
  const call = { id: madeId, name: "f", source: "native" };
  expect(await callOf(asked({ a: '{ } " \\' }))).toEqual({ ...call, input: { a: '{ } " \\' } });
  expect(await callOf(asked('{"a": 1}', { id: "given" }))).toEqual({ ...call, id: "given", input: { a: 1 } });
  for (const nothing of ["", " ", null, undefined, {}, "{}"])
    expect(await callOf(asked(nothing))).toEqual({ ...call, input: {} });
  for (const bad of ['{"a": ', "7", [1], 7, "null"])
    expect(await callOf(asked(bad))).toMatchObject({
      input: {},
      problem: expect.any(String),
      rawArguments: expect.any(String),
    });
  for (const bad of [null, 3, {}, { function: "f" }, { function: { arguments: { a: 1 } } }])
    expect(await callOf(bad)).toMatchObject({
      ...call,
      name: "",
      input: {},
      problem: "The call names no tool.",
      fault: "unknown_tool",
    });
});

test("__proto__ stays data, four megabytes arrive whole, excessive nesting is marked", async () => {
  const raw = bytesOf(
    `{"message":{"tool_calls":[{"function":{"name":"f","arguments":{"__proto__":{"a":1}}}}]},"done":true}\n`,
  );
  const [first] = (await read(raw)).events.flatMap((event) =>
    event.type === "call-end" ? [event.call.input] : [],
  );
  expect(Object.keys(first ?? {})).toEqual(["__proto__"]);
  expect((await callOf(asked({ content: "\né".repeat(2_000_000) })))?.input["content"]).toHaveLength(
    4_000_000,
  );
  const deep = JSON.parse("[".repeat(2000) + "]".repeat(2000)) as unknown;
  expect((await callOf(asked({ deep })))?.problem).toBe(
    "The arguments are nested more than 128 levels deep.",
  );
});

test("repeated ids are made unique, and a call in the last line counts", async () => {
  const same = asked({}, { id: "one" });
  const { events } = await read(
    lines(chunk({ tool_calls: [same, same] }), { ...done, message: { tool_calls: [same] } }),
  );
  const ids = events.flatMap((event) => (event.type === "call-end" ? [event.call.id] : []));
  expect(ids).toEqual(["one", madeId, madeId]);
  expect(events.at(-1)).toEqual({ type: "answer-end", reason: "tool-calls" });
});

test("arbitrary input ends with an answer or one single-line ModelError", async () => {
  const objects = fc.record(
    {
      model: fc.jsonValue(),
      message: fc.oneof(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom("content", "thinking", "tool_calls", "images"), fc.jsonValue()),
      ),
      done: fc.oneof(fc.boolean(), fc.jsonValue()),
      error: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const inputs = fc.oneof(
    fc.array(fc.oneof(objects, fc.jsonValue())).map((list) => lines(...list)),
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom(...["", "<html><body>Bad gateway</body></html>", "null", "\n\n"].map(bytesOf)),
  );
  await fc.assert(
    fc.asyncProperty(inputs, fc.array(fc.nat()), async (bytes, places) => {
      const { events, error } = await read(bytes, places);
      expect(error !== undefined).toBe(events.at(-1)?.type !== "answer-end");
      expect(error?.message ?? "").not.toContain("\n");
    }),
    { numRuns: 100 * scale },
  );
});

test("whole replies of the wrong shape are malformed", () => {
  for (const body of [null, 7, "<html>", [], {}, { message: "Hi" }])
    expect(() => ollama.decodeWhole(body)).toThrowError(expect.objectContaining({ kind: "malformed" }));
  expect(() => ollama.decodeWhole({ error: "it broke" })).toThrowError(
    expect.objectContaining({ kind: "server" }),
  );
});

const refusals: [number, string, object][] = [
  [
    404,
    '{"error":"model \\"qwen3:8b\\" not found, try pulling it first"}',
    {
      kind: "unknown-model",
      inFull: 'The server does not have the model "qwen3:8b". Run: ollama pull qwen3:8b',
    },
  ],
  [404, `{"error":"model 'x' not found"}`, { kind: "unknown-model", advice: "Run: ollama pull x" }],
  [
    400,
    '{"error":"\\"gemma3\\" does not support thinking"}',
    { kind: "bad-request", message: expect.stringContaining('"gemma3" does not support thinking') },
  ],
  [400, '{"error":"registry.ollama.ai/library/gemma:2b does not support tools"}', { kind: "bad-request" }],
  [
    500,
    '{"error":"model requires more system memory (9 GiB) than is available (4 GiB)"}',
    { kind: "bad-request" },
  ],
  [400, '{"error":"the input length exceeds the context length"}', { kind: "context-overflow" }],
  [
    503,
    '{"error":"server busy, please try again.  maximum pending requests exceeded"}',
    { kind: "overloaded" },
  ],
  [401, '{"error":"unauthorized"}', { kind: "auth", status: 401 }],
  [
    500,
    '{"error":{"message":"it broke"}}',
    { kind: "server", inFull: "The provider failed (500): it broke. Try again in a moment." },
  ],
  [404, "404 page not found", { kind: "unknown-path", advice: "Check the base URL." }],
  [
    502,
    "<html><title>Bad\ngateway</title></html>",
    { kind: "server", message: expect.stringContaining("Bad gateway") },
  ],
  [500, "", { kind: "server" }],
];

test("an error reply has its kind and one line of advice", () => {
  for (const [status, body, expected] of refusals) {
    const error = ollama.decodeError(status, {}, body);
    expect(error).toMatchObject(expected);
    expect(error.message).not.toContain("\n");
  }
});
