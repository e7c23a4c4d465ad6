import { expect, test } from "vitest";
import type { ToolCall } from "../../protocol/messages.ts";
import { readAll, type StreamOutcome } from "../../testing/read-all.ts";
import { askedNext, summary, transcript, type StreamSummary } from "../testing/stream-summary.ts";
import { openaiChat } from "./openai-chat.ts";

/** Deviations of servers from the format, each as a recorded stream. */

const hear = (file: string): Promise<StreamOutcome> => readAll(openaiChat, transcript(openaiChat, file));

const readA: [string, object] = ["read_file", { path: "a.ts" }];
const readB: [string, object] = ["read_file", { path: "b.ts" }];
const cutCommand: [string, string, string] = ["run_command", "truncated", '{"command":"rm -rf /srv/ol'];

const labels: [title: string, file: string, heard: StreamSummary][] = [
  [
    "without an index calls are matched by id, and chunks with neither belong to the last call",
    "no-index.sse",
    {
      calls: [
        ["list_files", {}, "function-call-1"],
        [...readA, "function-call-2"],
      ],
      end: "tool-calls",
    },
  ],
  [
    "a null index counts as absent",
    "index-null.sse",
    { calls: [[...readA, "call_UnVtKL0W"]], end: "tool-calls" },
  ],
  [
    "a new id opens a call even at the index of another one",
    "same-index-two-ids.sse",
    {
      calls: [
        ["get_weather", { city: "Praha" }, "function-call-1"],
        ["get_weather", { city: "Brno" }, "function-call-2"],
        ["get_time", { city: "Ostrava" }, "function-call-3"],
      ],
      end: "tool-calls",
    },
  ],
  [
    "without ids a name after complete arguments opens another call, even an identical one",
    "same-index-no-ids.sse",
    {
      calls: [
        ["get_weather", { city: "Praha" }],
        ["get_weather", { city: "Praha" }],
        ["get_time", { zone: "CET" }],
      ],
      end: "tool-calls",
    },
  ],
  [
    "a rising index without id and name continues the open call",
    "rising-indexes.sse",
    {
      calls: [
        [...readA, "call_a1"],
        [...readB, "call_b2"],
      ],
      end: "tool-calls",
    },
  ],
  [
    'ids "", "null" and null and empty names say nothing',
    "empty-labels.sse",
    { calls: [[...readA, "D681PevKs"]], end: "tool-calls" },
  ],
  [
    "an id and a name repeated in every chunk count once",
    "labels-in-each-chunk.sse",
    { calls: [[...readA, "chatcmpl-tool-7f"]], end: "tool-calls" },
  ],
  [
    "calls without ids are distinguished by index",
    "no-ids.sse",
    { calls: [readA, readB], end: "tool-calls" },
  ],
  [
    "one id at two indexes is two calls, the second with a generated id",
    "repeated-id.sse",
    { calls: [[...readA, "read_file"], readB], end: "tool-calls" },
  ],
  [
    "indexes are labels: with a text as number 0 the calls begin at 1",
    "text-is-index-zero.sse",
    {
      text: "Both.",
      calls: [
        [...readA, "toolu_1"],
        [...readB, "toolu_2"],
      ],
      end: "tool-calls",
    },
  ],
  [
    "a name split into chunks is assembled",
    "name-split.sse",
    { calls: [[...readA, "call_1"]], end: "tool-calls" },
  ],
  ["the legacy function_call is a call", "function-call.sse", { calls: [readA], end: "tool-calls" }],
  [
    "a function_call that repeats tool_calls, or is empty, is no further call",
    "function-call-mirrored.sse",
    { text: "One.", calls: [[...readA, "call_1"]], end: "tool-calls" },
  ],
  [
    "empty lists and entries of tool_calls in every chunk are no calls",
    "no-calls-in-each-chunk.sse",
    { text: "Two words.", end: "stop" },
  ],
];

const written: typeof labels = [
  [
    "arguments may come before the name",
    "arguments-first.sse",
    { calls: [[...readA, "call_1"]], end: "tool-calls" },
  ],
  [
    'arguments that are "", null, "null" or missing are none',
    "arguments-empty.sse",
    { calls: [1, 2, 3, 4].map((n) => ["list_files", {}, `call_${n}`]), end: "tool-calls" },
  ],
  [
    "arguments may be an object instead of a string",
    "arguments-object.sse",
    {
      calls: [
        ["read_file", { path: "a.ts", lines: [1, 2] }, "call_1"],
        ["list_files", {}, "call_2"],
      ],
      end: "tool-calls",
    },
  ],
  [
    "arguments in a list or encoded twice are unwrapped; a list of anything else never runs as no arguments",
    "arguments-no-object.sse",
    {
      calls: [
        [...readA, "call_1"],
        ["list_files", {}, "call_2"],
        ["read_file", "malformed_arguments", '["a.ts"]'],
        [...readB, "call_4"],
      ],
      end: "tool-calls",
    },
  ],
  [
    "an empty object before the real arguments is dropped; alone it means no arguments",
    "empty-object-first.sse",
    {
      calls: [
        [...readA, "toolu_1"],
        [...readB, "toolu_2"],
        ["list_files", {}, "toolu_3"],
      ],
      end: "tool-calls",
    },
  ],
  [
    "empty objects of several calls are held until the real arguments arrive",
    "empty-objects-together.sse",
    {
      calls: [
        [...readA, "call_1"],
        [...readB, "call_2"],
      ],
      end: "tool-calls",
    },
  ],
  [
    "N11: a prefix of the arguments that is valid JSON is not final: what follows counts",
    "valid-prefix.sse",
    {
      calls: [["run_command", "malformed_arguments", '{"command":"rm -rf /srv/old"},"backup":true}']],
      end: "tool-calls",
    },
  ],
  [
    "values that a server turned into strings are left as they are: the tool's schema decides",
    "stringified.sse",
    { calls: [["edit", { path: "a.ts", edits: '[{"old":"x","new":"y"}]' }, "call_1"]], end: "tool-calls" },
  ],
];

const ends: typeof labels = [
  [
    'calls count although the reason is "stop"',
    "stop-with-calls.sse",
    { text: "I look.", calls: [[...readA, "call_1"]], end: "tool-calls" },
  ],
  [
    'an answer that ends with "tool_calls" without calls or words can be asked again',
    "tools-promised.sse",
    { text: "\n", end: { kind: "server", fault: "empty_tool_use" } },
  ],
  [
    'an answer of words that ends with "tool_calls" says so',
    "tools-promised-text.sse",
    { text: "All is done.", end: "tool-calls" },
  ],
  [
    'N11: a call cut inside a value is truncated although the reason is "tool_calls"',
    "tools-promised-but-cut.sse",
    { calls: [cutCommand], end: "tool-calls" },
  ],
  [
    "N11: at the length limit the last call is truncated, and the complete ones before it run",
    "length.sse",
    { calls: [["list_files", {}, "call_1"], [...readA, "call_2"], cutCommand], end: "length" },
  ],
  [
    "a missing finish reason is tolerated if [DONE] ends the stream",
    "no-finish.sse",
    { text: "Hm.", calls: [[...readA, "call_1"]], end: "tool-calls" },
  ],
  [
    "a missing [DONE] is tolerated after a finish reason",
    "no-done.sse",
    { calls: [[...readA, "call_1"]], end: "tool-calls" },
  ],
  [
    "N12: a stream with neither is incomplete, and its call does not run",
    "no-end.sse",
    { text: "Hm.", end: { kind: "network", fault: "incomplete_stream" } },
  ],
  [
    'N12: the reason "error" is a failure, and the call before it does not run',
    "finish-error.sse",
    { text: "Hm.", end: { kind: "server", fault: "stream_error" } },
  ],
  [
    "a call that Gemini could not parse is recognized by the gateway's finish reason",
    "finish-malformed-call.sse",
    { end: { kind: "malformed", fault: "malformed_by_provider" } },
  ],
];

const texts: typeof labels = [
  [
    "thoughts may be parts of the content",
    "thinking-parts.sse",
    { reasoning: "I think twice.", text: "Done.", end: "stop" },
  ],
  ["a whole message may stand in place of a delta", "message-for-delta.sse", { text: "Done.", end: "stop" }],
  [
    "reasoning sent in two fields is read once",
    "reasoning-both.sse",
    { reasoning: "I think twice.", text: "Done.", end: "stop" },
  ],
  [
    "reasoning may be in reasoning_text",
    "reasoning-text.sse",
    { reasoning: "Hm, well.", text: "Done.", end: "stop" },
  ],
  [
    "N5: a call written in the reasoning is reasoning",
    "call-in-reasoning.sse",
    {
      reasoning: 'I could use <tool_call>\n{"name": "list_files", "arguments": {}}\n</tool_call>.',
      text: "No need.",
      end: "stop",
    },
  ],
  [
    "markup that a server's parser left in the content stays text for the dialects",
    "leaked-markup.sse",
    { text: '<tool_call>\n{"name": "list_files", "arguments": {}}\n</tool_call>', end: "stop" },
  ],
  [
    "N13: a native call repeated as text is one native call",
    "native-and-textual.sse",
    {
      text: '<tool_call>\n{"name": "list_files", "arguments": {}}\n</tool_call>',
      calls: [["list_files", {}, "call_1"]],
      end: "tool-calls",
    },
  ],
  [
    "comments, CRLF, data: without space, choices null and empty, usage after the finish and split characters pass",
    "framing.sse",
    {
      text: "Žluťoučký kůň 🐎 čas",
      calls: [["read_file", { path: "Žilina/🌦.txt" }, "call_1"]],
      end: "tool-calls",
    },
  ],
];

const failures: typeof labels = [
  [
    "N12: an error with HTTP 200 is an error",
    "error-with-200.sse",
    { end: { kind: "rate-limit", fault: "stream_error" } },
  ],
  [
    "N12: an error after a complete call cancels it",
    "error-in-call.sse",
    { text: "Wait.", end: { kind: "overloaded", fault: "stream_error" } },
  ],
  [
    "N12: an event named error is an error, whether JSON or not",
    "error-event.sse",
    { text: "Wait.", end: { kind: "server", fault: "stream_error" } },
  ],
  [
    "N12: a field named error is an error",
    "error-field.sse",
    { text: "Wait.", end: { kind: "server", fault: "stream_error" } },
  ],
  [
    "N12: vLLM's error object is an error",
    "error-of-vllm.sse",
    { text: "Wait.", end: { kind: "server", fault: "stream_error" } },
  ],
  [
    "N12: an error outside the events is an error",
    "error-bare.sse",
    { text: "Wait.", end: { kind: "rate-limit", fault: "stream_error" } },
  ],
];

test.each([...labels, ...written, ...ends, ...texts, ...failures])("%s", async (_, file, expected) => {
  expect(summary(await hear(file))).toEqual(expected);
});

test("generated ids are unique, and a call keeps its id from start to end", async () => {
  const { events } = await hear("no-ids.sse");
  const starts = events.flatMap((event) => (event.type === "call-start" ? [event.id] : []));
  const finished = events.flatMap((event) => (event.type === "call-end" ? [event.call.id] : []));
  expect(finished).toEqual(starts);
  expect(new Set(starts).size).toBe(2);
});

test("reasoning_details of every kind are kept unchanged", async () => {
  const { events } = await hear("reasoning-details.sse");
  const details = [
    { type: "reasoning.summary", summary: "First.", format: "openai-responses-v1", index: 0 },
    { type: "reasoning.encrypted", data: "gAAAAABo", id: "rs_1", format: "openai-responses-v1", index: 0 },
  ];
  expect(events.find((event) => event.type === "reasoning-end")).toEqual({
    type: "reasoning-end",
    state: { from: "openai-chat", value: { field: "reasoning", details } },
  });
});

test("the thought signature of a Gemini call is sent back with that call", async () => {
  const { events } = await hear("signature.sse");
  const calls = events.flatMap((event) => (event.type === "call-end" ? [event.call] : []));
  const google = { extra_content: { google: { thought_signature: "EoYCCoMCARFNMg==" } } };
  expect(openaiChat.encodeAsk(askedNext("m", events), { streamed: true })["messages"]).toMatchObject([
    { role: "user" },
    { tool_calls: [{ id: "function-call-1", ...google }, { id: "function-call-2" }] },
    { role: "tool" },
    { role: "tool" },
  ]);
  expect(calls.map(({ state }) => state?.value)).toEqual([google, undefined]);
});

const whole = (message: object, finish: string): object => ({
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason: finish }],
});

const callsIn = (body: object): Partial<ToolCall>[] =>
  openaiChat
    .decodeWhole(body)
    .flatMap((event) => (event.type === "call-end" ? [{ ...event.call, source: "" }] : []));

test("a whole reply with repeated ids, an empty object before arguments, or a tool_calls finish without calls", () => {
  const entry = (args: string): object => ({ id: "a", function: { name: "f", arguments: args } });
  const twice = callsIn(whole({ tool_calls: [entry('{}{"n":1}'), entry('{"n":1}')] }, "tool_calls"));
  expect(twice.map(({ input }) => input)).toEqual([{ n: 1 }, { n: 1 }]);
  expect(new Set(twice.map(({ id }) => id)).size).toBe(2);
  expect(callsIn(whole({ function_call: { name: "f", arguments: "{}" } }, "function_call"))).toHaveLength(1);
  expect(() => callsIn(whole({ tool_calls: [] }, "tool_calls"))).toThrow(
    expect.objectContaining({ fault: "empty_tool_use" }),
  );
  expect(callsIn(whole({ tool_calls: [entry('{"n":1')] }, "length"))).toMatchObject([{ fault: "truncated" }]);
});

test("other servers' finish reasons for length, filter and failure are recognized", () => {
  const entry = { id: "a", function: { name: "f", arguments: '{"n":"' } };
  for (const finish of ["length", "LENGTH", "max_tokens", "model_length", "content_filter", "sensitive"])
    expect(callsIn(whole({ tool_calls: [entry] }, finish))).toMatchObject([{ fault: "truncated" }]);
  for (const finish of ["error", "network_error", "insufficient_system_resource"])
    expect(() => callsIn(whole({ tool_calls: [entry] }, finish))).toThrow(
      expect.objectContaining({ kind: "server", fault: "stream_error" }),
    );
});

test("N12: a whole reply that is an error is a stream error, even with status 200", () => {
  const body = { error: { message: "Rate limit reached", code: "rate_limit_exceeded" } };
  expect(() => openaiChat.decodeWhole(body)).toThrow(
    expect.objectContaining({ kind: "rate-limit", fault: "stream_error" }),
  );
  expect(openaiChat.decodeError(200, { "retry-after": "3" }, JSON.stringify(body))).toMatchObject({
    kind: "rate-limit",
    fault: "stream_error",
    status: undefined,
    retryAfter: 3000,
  });
  expect(openaiChat.decodeError(500, {}, "").fault).toBeUndefined();
});
