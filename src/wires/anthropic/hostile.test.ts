import * as fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import { readAll, type StreamOutcome } from "../../testing/read-all.ts";
import { scale } from "../../testing/scale.ts";
import { anthropic } from "./anthropic.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (bytes: Uint8Array, places?: number[]): Promise<StreamOutcome> =>
  readAll(anthropic, bytes, places);
const start = (model: string): ModelEvent => ({ type: "answer-start", model });
const stream = (...frames: object[]): Uint8Array =>
  bytesOf(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(""));
const opened = { type: "message_start", message: { id: "msg_1", model: "m" } };
const toolUse = (index: number, block: object = {}): object => ({
  type: "content_block_start",
  index,
  content_block: { type: "tool_use", id: "toolu_1", name: "rm", input: {}, ...block },
});
const json = (index: number, partial_json: string): object => ({
  type: "content_block_delta",
  index,
  delta: { type: "input_json_delta", partial_json },
});
const stopped = (stop_reason: string): object[] => [
  { type: "message_delta", delta: { stop_reason } },
  { type: "message_stop" },
];
const ends = ({ events }: { events: ModelEvent[] }): ModelEvent[] =>
  events.filter((event) => event.type === "call-end" || event.type === "answer-end");

test("a call without arguments before a length stop is marked as truncated", async () => {
  const cutOff = await read(
    stream(opened, toolUse(0), { type: "content_block_stop", index: 0 }, ...stopped("max_tokens")),
  );
  expect(ends(cutOff)).toEqual([
    {
      type: "call-end",
      call: {
        id: "toolu_1",
        name: "rm",
        source: "native",
        input: {},
        problem: "The answer reached its length limit before the arguments were written.",
        fault: "truncated",
        rawArguments: "",
      },
    },
    { type: "answer-end", reason: "length" },
  ]);
});

test("gateways: input in the block start, no block stop, a repeated start, no ids, no tool_use reason", async () => {
  const events = await read(
    stream(
      opened,
      opened,
      toolUse(0, { id: "", input: { path: "a" } }),
      { type: "content_block_stop", index: 0 },
      toolUse(1),
      json(1, '{"path":"b"}'),
      ...stopped("end_turn"),
    ),
  );
  expect(ends(events)).toEqual([
    {
      type: "call-end",
      call: {
        id: expect.stringMatching(/^toolu_\w{16}$/),
        name: "rm",
        source: "native",
        input: { path: "a" },
      },
    },
    { type: "call-end", call: { id: "toolu_1", name: "rm", source: "native", input: { path: "b" } } },
    { type: "answer-end", reason: "tool-calls" },
  ]);
});

test("N11: of several calls only the one cut off by a length stop is marked", async () => {
  const pieces = [
    toolUse(0),
    json(0, '{"path":"a"}'),
    toolUse(1, { id: "toolu_2" }),
    json(1, '{"path":"b"}'),
  ];
  const events = await read(stream(opened, ...pieces, ...stopped("max_tokens")));
  expect(ends(events)).toMatchObject([
    { call: { id: "toolu_1", input: { path: "a" } } },
    { call: { id: "toolu_2", input: {}, fault: "truncated", rawArguments: '{"path":"b"}' } },
    { type: "answer-end", reason: "length" },
  ]);
});

test("two answers mixed in one stream are a damaged stream", async () => {
  const other = { type: "message_start", message: { id: "msg_2", model: "m" } };
  const { error } = await read(stream(opened, toolUse(0), other, ...stopped("tool_use")));
  expect(error).toMatchObject({ kind: "server", midStream: true });
});

test("a tool_use reason with text but no call is passed on as it is, and nothing after message_stop is read", async () => {
  const text = { type: "content_block_start", index: 0, content_block: { type: "text", text: "Hi" } };
  const { events } = await read(stream(opened, text, ...stopped("tool_use"), toolUse(1), { type: "error" }));
  expect(events).toEqual([
    start("m"),
    { type: "text-delta", text: "Hi" },
    { type: "answer-end", reason: "tool-calls" },
  ]);
});

async function callWith(input: string): Promise<ToolCall> {
  const pieces = input.match(/.{1,4096}/gs) ?? [];
  const { events } = await read(
    stream(
      opened,
      toolUse(0),
      ...pieces.map((piece) => json(0, piece)),
      { type: "content_block_stop", index: 0 },
      ...stopped("tool_use"),
    ),
  );
  const end = events.find((event) => event.type === "call-end");
  if (end?.type !== "call-end") throw new Error("no call");
  return end.call;
}

test("arguments named __proto__ stay data, megabytes arrive whole, excessive nesting is marked", async () => {
  expect(Object.keys((await callWith('{"__proto__": {"a": 1}}')).input)).toEqual(["__proto__"]);
  const big = "\\n\u00e9".repeat(1_400_000);
  expect((await callWith(`{"content": "${big}"}`)).input["content"]).toHaveLength(2_800_000);
  const deep = await callWith(`{"a": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`);
  expect(deep).toMatchObject({ input: {}, problem: "The arguments are nested more than 128 levels deep." });
  expect(deep.rawArguments).toHaveLength(100_007);
});

test("arbitrary input ends with an answer or one single-line ModelError", async () => {
  const frames = fc.oneof(
    fc.json(),
    fc.constantFrom("<html><title>502</title></html>", "", "{}", "[1]", '{"type":"error","error":7}'),
    fc
      .record({
        type: fc.constantFrom("message_start", "content_block_start", "content_block_delta", "message_delta"),
        index: fc.oneof(fc.nat({ max: 2 }), fc.string()),
        message: fc.jsonValue(),
        delta: fc.oneof(
          fc.jsonValue(),
          fc.dictionary(fc.constantFrom("type", "text", "thinking"), fc.jsonValue()),
        ),
        content_block: fc.oneof(
          fc.jsonValue(),
          fc.record({ type: fc.constantFrom("text", "tool_use", "thinking") }),
        ),
      })
      .map((frame) => JSON.stringify(frame)),
  );
  const inputs = fc.oneof(
    fc.array(frames).map((list) => bytesOf(list.map((frame) => `data: ${frame}\n\n`).join(""))),
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom(...["", "<!doctype html><html><body>Bad gateway</body></html>", "null"].map(bytesOf)),
  );
  await fc.assert(
    fc.asyncProperty(inputs, fc.array(fc.nat()), async (bytes, places) => {
      const { events, error } = await read(bytes, places);
      expect(error !== undefined).toBe(events.at(-1)?.type !== "answer-end");
      expect(error?.message ?? "").not.toContain("\n");
    }),
    { numRuns: 300 * scale },
  );
});

test("whole replies of the wrong shape are malformed", () => {
  for (const body of [null, 7, "<html>", [], {}, { content: 3 }, { content: { a: 1 } }])
    expect(() => anthropic.decodeWhole(body)).toThrowError(expect.objectContaining({ kind: "malformed" }));
  expect(() => anthropic.decodeWhole({ type: "error", error: { type: "api_error" } })).toThrowError(
    expect.objectContaining({ kind: "server" }),
  );
});

const refusals: [number, object | string, Record<string, string>, object][] = [
  [
    401,
    { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } },
    {},
    {
      kind: "auth",
      status: 401,
      inFull: "The provider refused the key (401): invalid x-api-key. Check the key.",
    },
  ],
  [
    429,
    { type: "error", error: { type: "rate_limit_error", message: "Slow\ndown." } },
    { "retry-after": "7" },
    {
      kind: "rate-limit",
      retryAfter: 7000,
      inFull: "The provider's rate limit is reached (429): Slow down. Wait a little and try again.",
    },
  ],
  [
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
    },
    {},
    { kind: "context-overflow" },
  ],
  [
    400,
    { type: "error", error: { type: "invalid_request_error", message: "max_tokens: Field required" } },
    {},
    { kind: "bad-request" },
  ],
  [
    404,
    { type: "error", error: { type: "not_found_error", message: "model: claude-nope" } },
    {},
    { kind: "unknown-model" },
  ],
  [
    404,
    { type: "error", error: { type: "not_found_error", message: "Not Found" } },
    {},
    { kind: "unknown-path" },
  ],
  [
    529,
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    {},
    { kind: "overloaded" },
  ],
  [
    413,
    { type: "error", error: { type: "request_too_large", message: "Request exceeds" } },
    {},
    { kind: "context-overflow" },
  ],
  [
    404,
    "<html><head><title>404 Not Found</title></head></html>",
    {},
    {
      kind: "unknown-path",
      inFull: "The provider offers nothing at this address (404): 404 Not Found. Check the base URL.",
    },
  ],
  [502, "", {}, { kind: "server", inFull: "The provider failed (502). Try again in a moment." }],
];

test("an error reply has its kind and one line of advice", () => {
  for (const [status, body, headers, expected] of refusals)
    expect(
      anthropic.decodeError(status, headers, typeof body === "string" ? body : JSON.stringify(body)),
    ).toMatchObject(expected);
});

async function* failing(): AsyncGenerator<ModelEvent> {
  yield start("m");
  yield { type: "text-delta", text: "a" };
  throw new ModelError("overloaded", "Too much.");
}

test("our server's errors are decoded to the same kind", async () => {
  const kinds = [
    "auth",
    "rate-limit",
    "overloaded",
    "context-overflow",
    "bad-request",
    "timeout",
    "server",
  ] as const;
  for (const kind of kinds) {
    const { status, headers, body } = anthropic.encodeError(
      new ModelError(kind, "It failed.", { retryAfter: 1500 }),
    );
    expect(anthropic.decodeError(status, headers, JSON.stringify(body))).toMatchObject({
      kind,
      retryAfter: 2000,
    });
  }
  const texts = await collect(anthropic.encodeEvents(failing()));
  expect((await read(bytesOf(texts.join("")))).error).toMatchObject({ kind: "overloaded", midStream: true });
});
