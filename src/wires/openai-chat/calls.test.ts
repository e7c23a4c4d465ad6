import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import { cutBytes } from "../../testing/byte-pieces.ts";
import { readAll, type StreamOutcome } from "../../testing/read-all.ts";
import { scale } from "../../testing/scale.ts";
import { oneByOne } from "../frames.ts";
import { callsIn } from "../testing/stream-summary.ts";
import { openaiChat } from "./openai-chat.ts";

const decode = (bytes: Uint8Array): Promise<ModelEvent[]> =>
  collect(oneByOne(openaiChat.decodeBatches(cutBytes(bytes, []))));

const hear = (bytes: Uint8Array): Promise<StreamOutcome> => readAll(openaiChat, bytes);

const stream = (...frames: object[]): Buffer =>
  Buffer.from(
    [...frames.map((frame) => JSON.stringify(frame)), "[DONE]"].map((data) => `data: ${data}\n\n`).join(""),
  );

const delta = (said: object, finish: string | null = null): object => ({
  model: "m",
  choices: [{ index: 0, delta: said, finish_reason: finish }],
});

const piece = (entry: object): object => delta({ tool_calls: [entry] });

const unfinished = (frame: object): Buffer => Buffer.from(`data: ${JSON.stringify(frame)}\n\n`);

const labels: [string, object[], object[]][] = [
  [
    "without an index calls are matched by id",
    [
      piece({ id: "a", function: { name: "x", arguments: '{"a":' } }),
      piece({ id: "a", function: { arguments: "1}" } }),
      piece({ id: "b", function: { name: "y", arguments: "{}" } }),
    ],
    [
      { id: "a", name: "x", input: { a: 1 }, source: "native" },
      { id: "b", name: "y", input: {}, source: "native" },
    ],
  ],
  [
    "a whole call that comes once more under its id is one, whatever its index",
    [
      piece({ index: 0, id: "a", function: { name: "x", arguments: '{"a":1}' } }),
      piece({ index: 1, id: "a", function: { name: "x", arguments: '{"a":1}' } }),
      piece({ index: 2, id: "b", function: { name: "x", arguments: '{"a":1}' } }),
      piece({ index: 3, id: "b", function: { name: "x", arguments: ' {"a":1}' } }),
    ],
    [
      { id: "a", name: "x", input: { a: 1 }, source: "native" },
      { id: "b", name: "x", input: { a: 1 }, source: "native" },
    ],
  ],
  [
    "two ids at the same index are two calls",
    [
      piece({ index: 0, id: "a", function: { name: "x", arguments: '{"a":1}' } }),
      piece({ index: 0, id: "b", function: { name: "x", arguments: '{"a":2}' } }),
    ],
    [
      { id: "a", name: "x", input: { a: 1 }, source: "native" },
      { id: "b", name: "x", input: { a: 2 }, source: "native" },
    ],
  ],
  [
    "a rising index without id and name continues the open call",
    [
      piece({ index: 0, id: "a", function: { name: "x", arguments: '{"a"' } }),
      piece({ index: 1, function: { arguments: ":1" } }),
      piece({ index: 2, id: "", function: { name: "", arguments: "}" } }),
    ],
    [{ id: "a", name: "x", input: { a: 1 }, source: "native" }],
  ],
  [
    "a prefix that is valid JSON is not the end",
    [
      piece({ index: 0, id: "a", function: { name: "x", arguments: "{}" } }),
      piece({ index: 0, function: { arguments: '{"a":1}' } }),
    ],
    [{ id: "a", name: "x", input: { a: 1 }, source: "native" }],
  ],
  [
    "a name may come in pieces, repeated whole, or after the arguments",
    [
      piece({ index: 0, id: "a", function: { name: "get_" } }),
      piece({ index: 0, function: { name: "weather", arguments: "" } }),
      piece({ index: 0, function: { name: "get_weather", arguments: '{"a":' } }),
      piece({ index: 0, function: { name: "get_weather", arguments: "1}" } }),
    ],
    [{ id: "a", name: "get_weather", input: { a: 1 }, source: "native" }],
  ],
  [
    "arguments that are null, empty or an object are read",
    [
      piece({ index: 0, id: "a", function: { name: "x", arguments: null } }),
      piece({ index: 1, id: "b", function: { name: "x", arguments: "" } }),
      piece({ index: 2, id: "c", function: { name: "x", arguments: { a: 1 } } }),
    ],
    [
      { id: "a", name: "x", input: {}, source: "native" },
      { id: "b", name: "x", input: {}, source: "native" },
      { id: "c", name: "x", input: { a: 1 }, source: "native" },
    ],
  ],
  [
    "identical calls stay separate, even without ids and arguments",
    [
      piece({ index: 0, id: "a", function: { name: "x", arguments: "{}" } }),
      piece({ index: 0, id: "b", function: { name: "x", arguments: "{}" } }),
    ],
    [
      { id: "a", name: "x", input: {}, source: "native" },
      { id: "b", name: "x", input: {}, source: "native" },
    ],
  ],
  [
    "interleaved chunks of calls are assembled by index",
    [
      piece({ index: 0, id: "a", function: { name: "x", arguments: '{"a":' } }),
      piece({ index: 1, id: "b", function: { name: "y", arguments: '{"b":' } }),
      piece({ index: 0, function: { arguments: "1}" } }),
      piece({ index: 1, function: { arguments: "2}" } }),
    ],
    [
      { id: "a", name: "x", input: { a: 1 }, source: "native" },
      { id: "b", name: "y", input: { b: 2 }, source: "native" },
    ],
  ],
];

for (const [title, frames, calls] of labels) {
  test(title, async () => {
    const events = await decode(stream(...frames, delta({}, "stop")));
    expect(callsIn(events)).toEqual(calls);
    expect(events.at(-1)).toEqual({ type: "answer-end", reason: "tool-calls" });
  });
}

test("identical calls without ids stay separate calls with ids of their own", async () => {
  for (const json of ['{"a":1}', "{}"]) {
    const whole = { index: 0, function: { name: "x", arguments: json } };
    const ids = callsIn(await decode(stream(piece(whole), piece(whole)))).map(
      (call) => (call as { id: string }).id,
    );
    expect(ids).toEqual([expect.stringMatching(/^call_/), expect.stringMatching(/^call_/)]);
    expect(ids[0]).not.toBe(ids[1]);
  }
});

test("D4: a call ends only when the next part begins", async () => {
  const events = await decode(
    stream(
      piece({ index: 0, id: "a", function: { name: "x", arguments: '{"a":1}' } }),
      delta({}),
      delta({ content: "then" }),
      delta({}, "stop"),
    ),
  );
  expect(events.map((event) => event.type)).toEqual([
    "answer-start",
    "call-start",
    "call-delta",
    "call-end",
    "text-delta",
    "answer-end",
  ]);
});

test("unreadable arguments yield a marked call, not an exception", async () => {
  const events = await decode(
    stream(
      piece({ index: 0, id: "a", function: { name: "x", arguments: '{"a":' } }),
      delta({}, "tool_calls"),
    ),
  );
  expect(callsIn(events)).toEqual([
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

test("a call truncated at the length limit must not run, even if its arguments are valid", async () => {
  const events = await decode(
    stream(
      piece({ index: 0, id: "a", function: { name: "rm", arguments: '{"path":"/srv/old"}' } }),
      delta({}, "length"),
    ),
  );
  expect(callsIn(events)).toEqual([
    {
      id: "a",
      name: "rm",
      input: {},
      source: "native",
      rawArguments: '{"path":"/srv/old"}',
      problem: "The answer was cut off at its length limit.",
      fault: "truncated",
    },
  ]);
  expect(events.at(-1)).toEqual({ type: "answer-end", reason: "length" });
});

test("arguments for a call that was already complete fail the answer", async () => {
  const { error } = await hear(
    stream(
      piece({ index: 0, id: "a", function: { name: "x", arguments: '{"a":1}' } }),
      delta({ content: "t" }),
      piece({ index: 0, function: { arguments: "x" } }),
    ),
  );
  expect(error).toMatchObject({ kind: "server", midStream: true });
});

test("a refusal is text with end reason refusal", async () => {
  expect(await decode(stream(delta({ refusal: "I cannot." }), delta({}, "stop")))).toEqual([
    { type: "answer-start", model: "m" },
    { type: "text-delta", text: "I cannot." },
    { type: "answer-end", reason: "refusal" },
  ]);
});

test("a stream with a finish reason but no [DONE] is complete; one with neither is not", async () => {
  expect(await decode(unfinished(delta({ content: "a" }, "stop")))).toHaveLength(3);
  await expect(decode(unfinished(delta({ content: "a" })))).rejects.toMatchObject({
    kind: "network",
    midStream: true,
  });
});

test("bytes that are not an answer yield one ModelError", async () => {
  for (const body of [
    "",
    "<!doctype html><title>502</title>",
    "data: 1\n\n",
    "data: <html>\n\n",
    'data: {"choices":7}\n\n',
  ])
    await expect(decode(Buffer.from(body)), body).rejects.toBeInstanceOf(ModelError);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      await expect(decode(bytes)).rejects.toBeInstanceOf(ModelError);
    }),
  );
});

test("chunks of wrong types never crash the decoder", async () => {
  const keys = [
    "choices",
    "delta",
    "index",
    "tool_calls",
    "function",
    "name",
    "arguments",
    "id",
    "content",
    "finish_reason",
    "usage",
    "error",
    "reasoning_details",
    "model",
  ];
  const junk = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(null, 1, "", "x", "constructor", true, "length"),
      fc.array(tie("value"), { maxLength: 3 }),
      tie("object"),
    ),
    object: fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 6 }),
  })).object;
  await fc.assert(
    fc.asyncProperty(
      fc.array(junk as fc.Arbitrary<object>, { maxLength: 5 }),
      fc.array(junk as fc.Arbitrary<object>),
      async (chunks, deltas) => {
        const { error } = await hear(stream(...chunks, ...deltas.map((said) => delta(said))));
        if (error !== undefined) expect(error).toBeInstanceOf(ModelError);
      },
    ),
    { numRuns: 100 * scale },
  );
});

test("a 4 MB argument in 20,000 chunks arrives whole", async () => {
  const text = "x".repeat(200);
  const frames = Array.from({ length: 20_000 }, () => piece({ index: 0, function: { arguments: text } }));
  const events = await decode(
    stream(
      piece({ index: 0, id: "a", function: { name: "w", arguments: '{"content":"' } }),
      ...frames,
      piece({ index: 0, function: { arguments: '"}' } }),
      delta({}, "tool_calls"),
    ),
  );
  expect(callsIn(events)).toEqual([
    { id: "a", name: "w", input: { content: text.repeat(20_000) }, source: "native" },
  ]);
});

/** The frames so far; the rest comes when the reader has heard `until`, or never. */
async function heardBefore(
  frames: object[],
  rest: object[],
  until: ModelEvent["type"],
): Promise<ModelEvent[]> {
  const gate = Promise.withResolvers<undefined>();
  const heard: ModelEvent[] = [];
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (const frame of frames) yield unfinished(frame);
    await gate.promise;
    yield stream(...rest);
  }
  for await (const event of oneByOne(openaiChat.decodeBatches(bytes()))) {
    heard.push(event);
    if (event.type === until) gate.resolve(undefined);
  }
  return heard;
}

test("a call ends with its last bracket, however long nothing follows, and before the answer does", async () => {
  const first = piece({ index: 0, id: "a", function: { name: "x", arguments: '{"a":1}' } });
  const end = delta({}, "tool_calls");
  const heard = await heardBefore([first], [end], "call-end");
  expect(callsIn(heard)).toEqual([{ id: "a", name: "x", input: { a: 1 }, source: "native" }]);
  const second = piece({ index: 1, id: "b", function: { name: "y", arguments: '{"b":2}' } });
  expect(callsIn(await heardBefore([first], [second, end], "call-end")).map(({ id }) => id)).toEqual([
    "a",
    "b",
  ]);
});

test("calls that are written at the same time end in their order, each with its own last bracket", async () => {
  const frames = [
    piece({ index: 0, id: "a", function: { name: "x", arguments: '{"a":' } }),
    piece({ index: 1, id: "b", function: { name: "y", arguments: '{"b":2}' } }),
    piece({ index: 0, function: { arguments: "1}" } }),
  ];
  const heard = await heardBefore(frames, [delta({}, "tool_calls")], "call-end");
  expect(callsIn(heard).map(({ id }) => id)).toEqual(["a", "b"]);
});

test("a mere {} and a call without a name wait for more, which may be the real arguments and the name", async () => {
  for (const [json, name] of [
    ["{}", "x"],
    ['{"a":1}', ""],
  ]) {
    const first = piece({ index: 0, id: "a", function: { name, arguments: json } });
    const more = piece({ index: 0, function: { name: "x", arguments: json === "{}" ? '{"a":1}' : "" } });
    const text = delta({ content: "t" });
    const heard = await heardBefore([text, first], [more, delta({}, "tool_calls")], "text-delta");
    expect(callsIn(heard)).toEqual([{ id: "a", name: "x", input: { a: 1 }, source: "native" }]);
  }
});

/** A call, then more of it when it has ended. */
const behind = (...more: string[]): Promise<ModelEvent[]> =>
  heardBefore(
    [piece({ index: 0, id: "a", function: { name: "x", arguments: '{"a":"b c"}' } })],
    [...more.map((text) => piece({ index: 0, function: { arguments: text } })), delta({}, "tool_calls")],
    "call-end",
  );

test("what is left over behind complete arguments, or repeats them, is ignored and told once", async () => {
  const repeated = ['{"a":"b', " ", 'c"', "}", " "];
  for (const more of [
    ["}"],
    ["\n", "}}"],
    ["</tool_", "call>", "\n"],
    ["```"],
    repeated,
    [...repeated, ...repeated],
  ]) {
    const heard = await behind(...more);
    expect(callsIn(heard), more.join("|")).toEqual([
      { id: "a", name: "x", input: { a: "b c" }, source: "native" },
    ]);
    expect(heard.filter(({ type }) => type === "notice")).toEqual([
      {
        type: "notice",
        code: "call-went-on",
        detail:
          "The provider went on writing the call of x after it was complete; what it added was ignored.",
      },
    ]);
  }
  expect((await behind(" ", "\n")).map(({ type }) => type)).not.toContain("notice");
});

test("anything else behind complete arguments is an error, so nothing further of the answer runs", async () => {
  for (const more of [
    [',"b":2}'],
    ['{"a":"b d"}'],
    ['{"a":"b', '"}'],
    ['{"a":"b c"}', "x"],
    ["}", "x"],
    ["}".repeat(201)],
  ])
    await expect(behind(...more), more.join("|")).rejects.toThrow("after it was complete");
});
