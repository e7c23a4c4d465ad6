import { expect, test } from "vitest";
import type { Call } from "../../protocol/messages.ts";
import { readAll, type ReadAll } from "../../testing/read-all.ts";
import { askedNext, summary, transcript, type Heard } from "../testing/heard.ts";
import { openaiChat } from "./openai-chat.ts";

/** Deviations of servers from the format, each as a recorded stream. */

const hear = (file: string): Promise<ReadAll> => readAll(openaiChat, transcript(openaiChat, file));

const readA: [string, object] = ["read_file", { path: "a.ts" }];
const readB: [string, object] = ["read_file", { path: "b.ts" }];
const cutCommand: [string, string, string] = ["run_command", "truncated", '{"command":"rm -rf /srv/ol'];

const labels: [title: string, file: string, heard: Heard][] = [
  [
    "without an index the id tells calls apart, and what has neither goes on with the call opened last",
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
    "an index that is null is none",
    "index-null.sse",
    { calls: [[...readA, "call_UnVtKL0W"]], end: "tool-calls" },
  ],
  [
    "a new id opens a call even at the index of another",
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
    "without ids, a name after arguments that are whole opens another call, also an equal one",
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
    "rising indexes without id and name go on with the open call",
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
    "an id and a name in every piece are said once",
    "labels-in-each-chunk.sse",
    { calls: [[...readA, "chatcmpl-tool-7f"]], end: "tool-calls" },
  ],
  [
    "calls without ids are told apart by their index",
    "no-ids.sse",
    { calls: [readA, readB], end: "tool-calls" },
  ],
  [
    "one id at two indexes is two calls, the second under an id of ours",
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
    "a name in pieces is put together",
    "name-split.sse",
    { calls: [[...readA, "call_1"]], end: "tool-calls" },
  ],
  ["the function_call of old is a call", "function-call.sse", { calls: [readA], end: "tool-calls" }],
  [
    "a function_call beside the same tool_calls, and an empty one, are no further calls",
    "function-call-mirrored.sse",
    { text: "One.", calls: [[...readA, "call_1"]], end: "tool-calls" },
  ],
  [
    "empty lists and entries of calls in every chunk are no calls",
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
    "arguments may be an object instead of its text",
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
    "arguments in a list or encoded twice are unwrapped; a list of other things is never run as no arguments",
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
    "an empty object before the real one is dropped, and alone it is no arguments",
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
    "empty objects of several calls wait for the real ones",
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
    "N11: a beginning of the arguments that is valid JSON is not acted on: what follows counts",
    "valid-prefix.sse",
    {
      calls: [["run_command", "malformed_arguments", '{"command":"rm -rf /srv/old"},"backup":true}']],
      end: "tool-calls",
    },
  ],
  [
    "values that a server made into texts stay as they came: the tool's schema decides",
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
    'an answer of words that ends with "tool_calls" is just its words',
    "tools-promised-text.sse",
    { text: "All is done.", end: "stop" },
  ],
  [
    'N11: a call cut inside a value is truncated although the reason is "tool_calls"',
    "tools-promised-but-cut.sse",
    { calls: [cutCommand], end: "tool-calls" },
  ],
  [
    "N11: at the length limit the last call is truncated, and the whole ones before it run",
    "length.sse",
    { calls: [["list_files", {}, "call_1"], [...readA, "call_2"], cutCommand], end: "length" },
  ],
  [
    "a missing finish reason is forgiven where [DONE] ends the stream",
    "no-finish.sse",
    { text: "Hm.", calls: [[...readA, "call_1"]], end: "tool-calls" },
  ],
  [
    "a missing [DONE] is forgiven where a finish reason was given",
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
    "a call that Gemini could not read is told by the gateway's reason",
    "finish-malformed-call.sse",
    { end: { kind: "malformed", fault: "malformed_by_provider" } },
  ],
];

const texts: typeof labels = [
  [
    "reasoning in two fields at once is heard once",
    "reasoning-both.sse",
    { reasoning: "I think twice.", text: "Done.", end: "stop" },
  ],
  [
    "reasoning may be called reasoning_text",
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
    "markup that a server's parser left in the content is text, for the dialects to read",
    "leaked-markup.sse",
    { text: '<tool_call>\n{"name": "list_files", "arguments": {}}\n</tool_call>', end: "stop" },
  ],
  [
    "N13: a native call beside the same call as text is one native call",
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
    "N12: an error after a whole call stops it",
    "error-in-call.sse",
    { text: "Wait.", end: { kind: "overloaded", fault: "stream_error" } },
  ],
  [
    "N12: an event named error is an error, be it JSON or not",
    "error-event.sse",
    { text: "Wait.", end: { kind: "server", fault: "stream_error" } },
  ],
  [
    "N12: vLLM's error object is an error",
    "error-of-vllm.sse",
    { text: "Wait.", end: { kind: "server", fault: "stream_error" } },
  ],
  [
    "N12: an error outside of the events is an error",
    "error-bare.sse",
    { text: "Wait.", end: { kind: "rate-limit", fault: "stream_error" } },
  ],
];

test.each([...labels, ...written, ...ends, ...texts, ...failures])("%s", async (_, file, expected) => {
  expect(summary(await hear(file))).toEqual(expected);
});

test("ids that we make differ, and a call keeps its own from its start to its end", async () => {
  const { events } = await hear("no-ids.sse");
  const starts = events.flatMap((event) => (event.type === "call-start" ? [event.id] : []));
  const finished = events.flatMap((event) => (event.type === "call-end" ? [event.call.id] : []));
  expect(finished).toEqual(starts);
  expect(new Set(starts).size).toBe(2);
});

test("reasoning_details of every kind are kept as they came", async () => {
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

test("the thought signature beside a call of Gemini goes back beside that call", async () => {
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

const callsIn = (body: object): Partial<Call>[] =>
  openaiChat
    .decodeWhole(body)
    .flatMap((event) => (event.type === "call-end" ? [{ ...event.call, source: "" }] : []));

test("a whole reply: repeated ids, arguments after an empty object, a promise without calls", () => {
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

test("other servers' words for the length limit, the filter and a failure are known", () => {
  const entry = { id: "a", function: { name: "f", arguments: '{"n":"' } };
  for (const finish of ["length", "LENGTH", "max_tokens", "model_length", "content_filter", "sensitive"])
    expect(callsIn(whole({ tool_calls: [entry] }, finish))).toMatchObject([{ fault: "truncated" }]);
  for (const finish of ["error", "network_error", "insufficient_system_resource"])
    expect(() => callsIn(whole({ tool_calls: [entry] }, finish))).toThrow(
      expect.objectContaining({ kind: "server", fault: "stream_error" }),
    );
});

test("N12: an error that is the whole reply says so, whatever the status claims", () => {
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
