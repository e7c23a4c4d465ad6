import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import { cutBytes } from "../../testing/byte-pieces.ts";
import { readAll, type StreamOutcome } from "../../testing/read-all.ts";
import { scale } from "../../testing/scale.ts";
import { oneByOne } from "../frames.ts";
import { mergeDeltas } from "../testing/arbitraries.ts";
import { callsIn } from "../testing/stream-summary.ts";
import { openaiResponses } from "./openai-responses.ts";

const decode = (bytes: Uint8Array): Promise<ModelEvent[]> =>
  collect(oneByOne(openaiResponses.decodeBatches(cutBytes(bytes, []))));

const hear = (bytes: Uint8Array): Promise<StreamOutcome> => readAll(openaiResponses, bytes);

const stream = (...events: object[]): Buffer =>
  Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));

const completed = (output: object[] = []): object => ({
  type: "response.completed",
  response: { model: "m", output },
});

const call = { type: "function_call", id: "fc_1", call_id: "a", name: "x", arguments: '{"a":1}' };
const message = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  content: [{ type: "output_text", text: "Hi" }],
};

test("the finished item supplies what deltas omit, as with LM Studio and Azure", async () => {
  const added = { type: "response.output_item.added", output_index: 0, item: { ...call, arguments: "" } };
  const done = { type: "response.output_item.done", output_index: 0, item: call };
  const ends = [{ id: "a", name: "x", input: { a: 1 }, source: "native" }];
  expect(callsIn(await decode(stream(added, done, completed([call]))))).toEqual(ends);
  expect(callsIn(await decode(stream(done, completed([call]))))).toEqual(ends);
  expect(callsIn(await decode(stream(added, completed([call]))))).toEqual(ends);
  expect(callsIn(await decode(stream(completed([call]))))).toEqual(ends);
  expect(mergeDeltas(await decode(stream(completed([message]))))).toEqual([
    { type: "answer-start", model: "m" },
    { type: "text-delta", text: "Hi" },
    { type: "answer-end", reason: "stop" },
  ]);
});

test("text of unannounced items is not repeated", async () => {
  const events = await decode(
    stream(
      { type: "response.output_text.delta", output_index: 0, delta: "Hi" },
      { type: "response.output_item.done", output_index: 0, item: message },
      completed([message]),
    ),
  );
  expect(events.filter((event) => event.type === "text-delta")).toEqual([{ type: "text-delta", text: "Hi" }]);
});

const added = (id: string): object => ({
  type: "response.output_item.added",
  output_index: 0,
  item: { ...call, call_id: id, arguments: "" },
});

const done = (id: string): object => ({
  type: "response.output_item.done",
  output_index: 0,
  item: { ...call, call_id: id },
});

test("calls that a proxy all gives index 0 are distinguished by call_id", async () => {
  expect(callsIn(await decode(stream(added("a"), added("b"), done("a"), done("b"), completed())))).toEqual([
    { id: "a", name: "x", input: { a: 1 }, source: "native" },
    { id: "b", name: "x", input: { a: 1 }, source: "native" },
  ]);
});

test("a refusal is text with end reason refusal, and so ends a filtered answer", async () => {
  const refusal = { type: "response.refusal.delta", output_index: 0, delta: "I cannot." };
  expect((await decode(stream(refusal, completed()))).slice(1)).toEqual([
    { type: "text-delta", text: "I cannot." },
    { type: "answer-end", reason: "refusal" },
  ]);
  const filtered = {
    type: "response.incomplete",
    response: { model: "m", incomplete_details: { reason: "content_filter" } },
  };
  expect((await decode(stream(filtered))).at(-1)).toEqual({ type: "answer-end", reason: "refusal" });
});

test("unreadable arguments yield a marked call, not an exception", async () => {
  expect(callsIn(await decode(stream(completed([{ ...call, arguments: '{"a":' }]))))).toEqual([
    {
      id: "a",
      name: "x",
      input: {},
      source: "native",
      rawArguments: '{"a":',
      problem: expect.stringContaining("not valid JSON"),
      fault: "truncated",
    },
  ]);
});

test("bytes that are not an answer yield one ModelError", async () => {
  for (const body of [
    "",
    "<!doctype html><title>502</title>",
    "data: 1\n\n",
    "data: [DONE]\n\n",
    'data: {"type":7}\n\n',
  ])
    await expect(decode(Buffer.from(body)), body).rejects.toBeInstanceOf(ModelError);
  for (const body of [null, "x", [], {}, { output: [], status: "in_progress" }, { error: { message: "No" } }])
    expect(() => openaiResponses.decodeWhole(body)).toThrow(ModelError);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      await expect(decode(bytes)).rejects.toBeInstanceOf(ModelError);
    }),
  );
});

test("events of wrong types never crash the decoder", async () => {
  const types = [
    "created",
    "output_item.added",
    "output_item.done",
    "output_text.delta",
    "function_call_arguments.delta",
    "reasoning_summary_text.delta",
    "completed",
    "incomplete",
  ];
  const keys = [
    "item",
    "output_index",
    "delta",
    "response",
    "output",
    "type",
    "call_id",
    "arguments",
    "status",
    "content",
    "summary",
    "usage",
    "model",
  ];
  const leaf = fc.constantFrom<unknown>(
    null,
    1,
    -1,
    "",
    "x",
    true,
    "function_call",
    "message",
    "reasoning",
    "incomplete",
  );
  const value = fc.oneof(
    leaf,
    fc.array(leaf, { maxLength: 2 }),
    fc.dictionary(
      fc.constantFrom(...keys),
      fc.oneof(leaf, fc.dictionary(fc.constantFrom(...keys), leaf, { maxKeys: 4 })),
    ),
  );
  const event = fc.tuple(
    fc.constantFrom(...types),
    fc.dictionary(fc.constantFrom(...keys.filter((key) => key !== "type")), value),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(event), async (events) => {
      const { error } = await hear(
        stream(...events.map(([type, rest]) => ({ ...rest, type: `response.${type}` }))),
      );
      if (error !== undefined) expect(error).toBeInstanceOf(ModelError);
    }),
    { numRuns: 400 * scale },
  );
});

const delta = (json: string): object => ({
  type: "response.function_call_arguments.delta",
  output_index: 0,
  delta: json,
});

test("a 4 MB argument in 20,000 chunks arrives whole", async () => {
  const text = "x".repeat(200);
  const pieces = Array.from({ length: 20_000 }, () => delta(text));
  const item = { ...call, arguments: "" };
  const bytes = stream(
    { type: "response.output_item.added", output_index: 0, item },
    delta('{"content":"'),
    ...pieces,
    delta('"}'),
    { type: "response.output_item.done", output_index: 0, item },
    completed(),
  );
  expect(callsIn(await decode(bytes))).toEqual([
    { id: "a", name: "x", input: { content: text.repeat(20_000) }, source: "native" },
  ]);
});
