import * as fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import { ModelError, type ModelErrorKind, type ModelEvent } from "../../protocol/model-events.ts";
import { readAll, type StreamOutcome } from "../../testing/read-all.ts";
import { scale } from "../../testing/scale.ts";
import { cohere } from "./cohere.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const stream = (...frames: object[]): Uint8Array =>
  bytesOf(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(""));
const read = (bytes: Uint8Array, places?: number[]): Promise<StreamOutcome> => readAll(cohere, bytes, places);

const opened = { type: "message-start", id: "1", delta: { message: { role: "assistant" } } };
const inside = (type: string, index: unknown, message: object): object => ({
  type,
  index,
  delta: { message },
});
const begin = (index: unknown, called: object = {}): object =>
  inside("tool-call-start", index, {
    tool_calls: { id: "call_1", type: "function", function: { name: "rm", arguments: "" }, ...called },
  });
const json = (index: unknown, piece: unknown): object =>
  inside("tool-call-delta", index, { tool_calls: { function: { arguments: piece } } });
const finish = (index: unknown): object => ({ type: "tool-call-end", index });
const ended = (finish_reason: string, more: object = {}): object => ({
  type: "message-end",
  delta: { finish_reason, ...more },
});
const said = (text: string): object => inside("content-delta", 0, { content: { text } });

const callsOf = ({ events }: StreamOutcome): ToolCall[] =>
  events.flatMap((event) => (event.type === "call-end" ? [event.call] : []));
const reasonOf = ({ events }: StreamOutcome): unknown => {
  const last = events.at(-1);
  return last?.type === "answer-end" ? last.reason : undefined;
};
const rm = (input: object, more: object = {}): object => ({
  id: "call_1",
  name: "rm",
  source: "native",
  input,
  ...more,
});
const anyId = expect.stringMatching(/^call_\w{16}$/) as string;
const cut = (rawArguments: string): object => ({
  problem: "The answer reached its length limit before the arguments were complete.",
  fault: "truncated",
  rawArguments,
});

test("N11: a call that is empty, partial or not ended before a length stop is truncated", async () => {
  const pieces: [object[], string][] = [
    [[finish(0)], ""],
    [[json(0, "null"), finish(0)], "null"],
    [[json(0, '{"path":"/'), finish(0)], '{"path":"/'],
    [[json(0, '{"path":"/"}')], '{"path":"/"}'],
    [[], ""],
  ];
  for (const [frames, raw] of pieces) {
    const heard = await read(stream(opened, begin(0), ...frames, ended("MAX_TOKENS")));
    expect(callsOf(heard)).toEqual([rm({}, cut(raw))]);
    expect(reasonOf(heard)).toBe("length");
  }
});

test("N11: a call with its end and valid arguments is complete, whatever follows", async () => {
  const heard = await read(
    stream(opened, begin(0), json(0, '{"path":"a"}'), finish(0), said("And"), ended("MAX_TOKENS")),
  );
  expect([callsOf(heard), reasonOf(heard)]).toEqual([[rm({ path: "a" })], "length"]);
});

test("a call without arguments completes once something else follows it", async () => {
  const next = begin(1, { id: "call_2" });
  const { events } = await read(stream(opened, begin(0), finish(0), next));
  expect(events.map(({ type }) => type)).toEqual(["answer-start", "call-start", "call-end", "call-start"]);
});

test("servers: missing or wrong index, a list of calls, arguments in the start, no end, no or repeated ids", async () => {
  const streams: [object[], object[]][] = [
    [[begin(undefined), json(undefined, '{"a":1}'), finish(undefined)], [rm({ a: 1 })]],
    [[begin(0), json(7, '{"a":1}'), finish(7)], [rm({ a: 1 })]],
    [
      [inside("tool-call-start", 0, { tool_calls: [{ id: "call_1", function: { name: "rm" } }] }), finish(0)],
      [rm({})],
    ],
    [[begin(0, { function: { name: "rm", arguments: '{"a"' } }), json(0, ":1}"), finish(0)], [rm({ a: 1 })]],
    [[begin(0, { function: { name: "rm", arguments: { a: 1 } } }), finish(0)], [rm({ a: 1 })]],
    [[begin(0), json(0, { a: 1 }), finish(0)], [rm({ a: 1 })]],
    [[begin(0), json(0, '{"a":1}')], [rm({ a: 1 })]],
    [
      [begin(0), json(0, '{"a":1}'), begin(0)],
      [rm({ a: 1 }), { ...rm({}), id: anyId }],
    ],
    [[begin(0, { id: "" }), finish(0)], [{ ...rm({}), id: anyId }]],
  ];
  for (const [frames, calls] of streams) {
    const heard = await read(stream(opened, ...frames, ended("COMPLETE")));
    expect(callsOf(heard)).toEqual(calls);
    expect(reasonOf(heard)).toBe("tool-calls");
  }
});

test("interleaved calls keep their own arguments", async () => {
  const heard = await read(
    stream(
      opened,
      begin(0),
      begin(1, { id: "call_2" }),
      json(1, '{"b":'),
      json(0, '{"a":1}'),
      json(1, "2}"),
      finish(0),
      finish(1),
      ended("TOOL_CALL"),
    ),
  );
  expect(callsOf(heard)).toEqual([rm({ a: 1 }), { ...rm({ b: 2 }), id: "call_2" }]);
});

test("an unreadable call is marked: broken arguments, no name, excessive nesting", async () => {
  const callWith = async (piece: string, called: object = {}): Promise<ToolCall | undefined> =>
    callsOf(await read(stream(opened, begin(0, called), json(0, piece), finish(0), ended("TOOL_CALL"))))[0];
  expect(await callWith('{"a": b}')).toMatchObject({ input: {}, fault: "malformed_arguments" });
  expect(await callWith("7")).toMatchObject({ input: {}, fault: "malformed_arguments" });
  expect(await callWith('{"a":1}', { function: {} })).toMatchObject({
    name: "",
    input: {},
    problem: expect.any(String) as string,
  });
  const deep = await callWith(`{"a": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`);
  expect(deep?.problem).toBe("The arguments are nested more than 128 levels deep.");
  expect(Object.keys((await callWith('{"__proto__": {"a": 1}}'))?.input ?? {})).toEqual(["__proto__"]);
});

test("four megabytes in small chunks arrive whole", async () => {
  const pieces = Array.from({ length: 4096 }, () => "x".repeat(1024));
  const heard = await read(
    stream(
      opened,
      begin(0),
      json(0, '{"a":"'),
      ...pieces.map((piece) => json(0, piece)),
      json(0, '"}'),
      finish(0),
      ended("TOOL_CALL"),
    ),
  );
  expect(callsOf(heard)[0]?.input["a"]).toHaveLength(4_194_304);
});

test("arguments of a call that never started fail the answer", async () => {
  const { error } = await read(stream(opened, said("Hi"), json(0, '{"a":1}'), ended("TOOL_CALL")));
  expect(error).toMatchObject({ kind: "server", midStream: true });
});

test("finish reason TOOL_CALL without a call is passed on after text, else an empty_tool_use failure", async () => {
  const heard = await read(stream(opened, said("Hi"), ended("TOOL_CALL")));
  expect(reasonOf(heard)).toBe("tool-calls");
  const thought = inside("tool-plan-delta", undefined, { tool_plan: "I will look." });
  const { error } = await read(stream(opened, thought, ended("TOOL_CALL")));
  expect(error).toMatchObject({ kind: "server", fault: "empty_tool_use", midStream: true });
});

test("N12: failures in a stream of any form are stream errors of their kind", async () => {
  const failures: [string | object, ModelErrorKind][] = [
    [ended("ERROR"), "server"],
    [ended("ERROR", { error: "the model is overloaded" }), "overloaded"],
    [ended("COMPLETE", { error: "internal error" }), "server"],
    [ended("TIMEOUT"), "timeout"],
    [{ id: "1", message: "You are being rate limited: 40 API calls / minute" }, "rate-limit"],
    [{ type: "error", error: { message: "too many tokens: the prompt" } }, "context-overflow"],
    ["event: error\ndata: upstream went away\n\n", "server"],
    ["event: error\ndata: {}\n\n", "server"],
  ];
  for (const [failure, kind] of failures)
    for (const before of [[], [said("Hi"), begin(0), json(0, '{"a":1}')]]) {
      const last = typeof failure === "string" ? bytesOf(failure) : stream(failure);
      const heard = await read(Buffer.concat([stream(opened, ...before), last, stream(finish(0))]));
      expect(heard.error).toMatchObject({ kind, fault: "stream_error", midStream: before.length > 0 });
      expect(callsOf(heard)).toEqual([]);
    }
});

test("a stream with an end mark but no final event is incomplete", async () => {
  for (const mark of ["data: [DONE]\n\n", "data: [DO"]) {
    const { error } = await read(Buffer.concat([stream(opened, said("Hi")), bytesOf(mark)]));
    expect(error).toMatchObject({ kind: "network", fault: "incomplete_stream", midStream: true });
  }
});

test("event types may be given beside the data, and unknown events are skipped", async () => {
  const named = 'event: content-delta\ndata: {"index":0,"delta":{"message":{"content":{"text":"Hi"}}}}\n\n';
  const unknown = [{ type: "debug", prompt: "…" }, { type: "constellation" }, { x: 1 }, ended("COMPLETE")];
  const { events } = await read(Buffer.concat([bytesOf(named), stream(...unknown)]));
  expect(events).toEqual([
    { type: "answer-start", model: "" },
    { type: "text-delta", text: "Hi" },
    { type: "answer-end", reason: "stop" },
  ]);
});

test("a plan and a thought stay separate, even if the thought's block never started", async () => {
  const plan = inside("tool-plan-delta", undefined, { tool_plan: "I look." });
  const thought = inside("content-delta", 0, { content: { thinking: "Hm." } });
  const { events } = await read(stream(opened, plan, thought, said("Hi"), ended("COMPLETE")));
  expect(events.slice(1, -1)).toEqual([
    { type: "reasoning-delta", text: "I look." },
    { type: "reasoning-end" },
    { type: "reasoning-delta", text: "Hm." },
    { type: "reasoning-end", state: { from: "cohere", value: "thinking" } },
    { type: "text-delta", text: "Hi" },
  ]);
});

test("a stream in the form of the vendor's first specification is read too", async () => {
  const plan = { type: "tool-plan-delta", delta: { tool_plan: "I look." } };
  const called = { id: "call_1", type: "function", function: { name: "rm", arguments: "" } };
  const started = { type: "tool-call-start", index: 0, delta: { tool_call: called } };
  const more = {
    type: "tool-call-delta",
    index: 0,
    delta: { tool_call: { function: { arguments: '{"a":1}' } } },
  };
  const heard = await read(stream(opened, plan, started, more, finish(0), ended("TOOL_CALL")));
  expect(heard.events[1]).toEqual({ type: "reasoning-delta", text: "I look." });
  expect(callsOf(heard)).toEqual([rm({ a: 1 })]);
});

test("arbitrary input ends with an answer or one single-line ModelError", async () => {
  const any = fc.jsonValue();
  const keys = ["content", "tool_plan", "tool_calls", "text", "thinking", "finish_reason", "error", "usage"];
  const message = fc.dictionary(
    fc.constantFrom(...keys),
    fc.oneof(any, fc.dictionary(fc.constantFrom(...keys), any)),
  );
  const types = [
    "message-start",
    "content-start",
    "content-delta",
    "content-end",
    "tool-plan-delta",
    "tool-call-start",
    "tool-call-delta",
    "tool-call-end",
    "citation-start",
    "message-end",
    "error",
  ];
  const frames = fc.record(
    {
      type: fc.constantFrom(...types),
      index: fc.oneof(fc.nat({ max: 2 }), any),
      delta: fc.oneof(any, message, fc.record({ message })),
      message: any,
    },
    { requiredKeys: [] },
  );
  const inputs = fc.oneof(
    fc.array(frames).map((list) => stream(...list)),
    fc.array(fc.json()).map((list) => bytesOf(list.map((data) => `data: ${data}\n\n`).join(""))),
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom(...["", "<html><body>Bad gateway</body></html>", "null", "data: 7\n\n"].map(bytesOf)),
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

test("whole replies: a truncated call is marked, an error is a failure, a wrong shape is malformed", () => {
  const call = { id: "call_1", type: "function", function: { name: "rm", arguments: '{"path":"/' } };
  expect(cohere.decodeWhole({ message: { tool_calls: [call] }, finish_reason: "MAX_TOKENS" })).toContainEqual(
    {
      type: "call-end",
      call: rm({}, cut('{"path":"/')),
    },
  );
  expect(cohere.decodeWhole({ message: { content: "Hi" } })).toContainEqual({
    type: "text-delta",
    text: "Hi",
  });
  const failures: [unknown, ModelErrorKind][] = [
    [{ message: "internal server error" }, "server"],
    [{ message: { content: [] }, finish_reason: "TIMEOUT" }, "timeout"],
    ...[null, 7, "<html>", [], {}, { message: 3 }].map((body): [unknown, ModelErrorKind] => [
      body,
      "malformed",
    ]),
  ];
  for (const [body, kind] of failures)
    expect(() => cohere.decodeWhole(body)).toThrowError(expect.objectContaining({ kind }));
});

const refusals: [number, string, object][] = [
  [
    400,
    "too many tokens: total number of tokens in the prompt cannot exceed 128000 - received 129000.",
    { kind: "context-overflow", status: 400 },
  ],
  [
    400,
    "too many tokens: max tokens must be less than or equal to 4096, the maximum output for this model - received 8192.",
    { kind: "bad-request" },
  ],
  [400, "text content is not allowed when tool_calls are provided.", { kind: "bad-request" }],
  [
    401,
    "invalid api token",
    { kind: "auth", inFull: "The provider refused the key (401): invalid api token. Check the key." },
  ],
  [402, "Please add or update your payment method to continue", { kind: "auth" }],
  [
    404,
    "model 'command-x' not found, make sure the correct model ID was used and that you have access to the model.",
    { kind: "unknown-model" },
  ],
  [404, "page not found", { kind: "unknown-path" }],
  [422, "unprocessable", { kind: "bad-request" }],
  [
    429,
    "You are using a Trial key, which is limited to 40 API calls / minute.",
    { kind: "rate-limit", retryAfter: 7000 },
  ],
  // Waiting a minute would not help.
  [429, "You are using a Trial key, which is limited to 1000 API calls / month.", { kind: "auth" }],
  [498, "blocked input: please adjust your prompt", { kind: "bad-request" }],
  [499, "request cancelled", { kind: "server" }],
  [500, "internal server error", { kind: "server" }],
  [503, "service unavailable", { kind: "overloaded" }],
  [504, "gateway timeout", { kind: "timeout" }],
];

test("an error reply has its kind and one line of advice", () => {
  for (const [status, message, expected] of refusals) {
    const error = cohere.decodeError(status, { "retry-after": "7" }, JSON.stringify({ id: "1", message }));
    expect(error).toMatchObject(expected);
    expect(error.message).not.toContain("\n");
  }
  const other: [number, string, ModelErrorKind][] = [
    [400, '{"error":{"message":"maximum context length is 8192"}}', "context-overflow"],
    [400, '{"detail":[{"loc":["body"],"msg":"Field required"}]}', "bad-request"],
    [404, "<html><title>404 Not Found</title></html>", "unknown-path"],
    [502, "<html><title>Bad\ngateway</title></html>", "server"],
    [500, "", "server"],
    [500, "null", "server"],
  ];
  for (const [status, body, kind] of other)
    expect(cohere.decodeError(status, {}, body)).toMatchObject({ kind, status });
  expect(cohere.decodeError(404, {}, "nope").advice).toBe("Check the base URL.");
});

async function* failing(error: ModelError): AsyncGenerator<ModelEvent> {
  yield { type: "answer-start", model: "m" };
  yield { type: "text-delta", text: "a" };
  throw error;
}

test("our server's errors are decoded to the same kind", async () => {
  const kinds = [
    "auth",
    "rate-limit",
    "overloaded",
    "context-overflow",
    "bad-request",
    "unknown-model",
  ] as const;
  for (const kind of [...kinds, "timeout", "server"] as const) {
    const { status, headers, body } = cohere.encodeError(
      new ModelError(kind, "It failed.", { retryAfter: 1500 }),
    );
    expect(cohere.decodeError(status, headers, JSON.stringify(body))).toMatchObject({
      kind,
      retryAfter: 2000,
    });
  }
  for (const kind of ["server", "timeout"] as const) {
    const texts = await collect(cohere.encodeEvents(failing(new ModelError(kind, "It failed."))));
    const { error } = await read(bytesOf(texts.join("")));
    expect(error).toMatchObject({ kind, fault: "stream_error", midStream: true });
  }
});
