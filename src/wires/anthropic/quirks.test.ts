import { expect, test } from "vitest";
import { readAll, type StreamOutcome } from "../../testing/read-all.ts";
import { askedNext, summary, transcript, type StreamSummary } from "../testing/stream-summary.ts";
import { anthropic } from "./anthropic.ts";

/** Deviations of the API and of gateways from the documented stream, each as a recorded one. */

const hear = (file: string): Promise<StreamOutcome> => readAll(anthropic, transcript(anthropic, file));

const readA: [string, object, string] = ["read_file", { path: "a.ts" }, "toolu_1"];
const readB: [string, object, string] = ["read_file", { path: "b.ts" }, "toolu_2"];
const cutCommand: [string, string, string] = ["run_command", "truncated", '{"command":"rm -rf /srv/ol'];

const calls: [title: string, file: string, heard: StreamSummary][] = [
  [
    "a missing or empty delta means no input",
    "no-input.sse",
    {
      calls: [
        ["list_files", {}, "toolu_1"],
        ["list_files", {}, "toolu_2"],
      ],
      end: "tool-calls",
    },
  ],
  [
    "the whole input may be in the block start, and deltas beside it count",
    "input-in-start.sse",
    { calls: [readA, readB], end: "tool-calls" },
  ],
  [
    "a block that starts twice is one call, whose input may come with the second start or not be a string",
    "repeated-block-start.sse",
    { calls: [readA, readB], end: "tool-calls" },
  ],
  [
    "an empty object before the real input is dropped",
    "empty-object-first.sse",
    { calls: [readA], end: "tool-calls" },
  ],
  [
    "eager streaming may yield invalid JSON: the call is marked",
    "invalid-json.sse",
    {
      text: "I'll check the current weather in Paris for you.",
      calls: [["get_weather", "malformed_arguments", '{"location": "Paris", "unit": celsius}']],
      end: "tool-calls",
    },
  ],
  [
    "input whose first bytes the server lost is marked",
    "lost-first-bytes.sse",
    { calls: [["read_file", "malformed_arguments", '"path": "a.ts"}']], end: "tool-calls" },
  ],
  [
    "N11: input cut by max_tokens is truncated, and the call before it runs",
    "cut-at-max-tokens.sse",
    { calls: [readA, cutCommand], end: "length" },
  ],
  [
    "N11: after max_tokens not even a missing bracket is added",
    "cut-before-closer.sse",
    { calls: [["run_command", "truncated", '{"command":"rm -rf /srv/old"']], end: "length" },
  ],
  [
    "a block without a stop ends with the message",
    "no-block-stop.sse",
    { text: "Both.", calls: [readA, readB], end: "tool-calls" },
  ],
  [
    "N11: of several blocks without a stop, only the last was cut by max_tokens",
    "no-block-stop-cut.sse",
    { calls: [readA, cutCommand], end: "length" },
  ],
  [
    'a call counts although the reason is "end_turn"',
    "end-turn-with-call.sse",
    { calls: [readA], end: "tool-calls" },
  ],
  [
    "a tool run by the server itself is not a call of ours",
    "server-tool.sse",
    { text: "Let me search for that.", end: "stop" },
  ],
];

const streams: typeof calls = [
  ["pings may come anywhere", "pings.sse", { calls: [readA], end: "tool-calls" }],
  [
    "a repeated start of the same message is ignored",
    "repeated-start.sse",
    { text: "One.", calls: [readA], end: "tool-calls" },
  ],
  [
    "N12: the start of another message within one is an error, and no call runs",
    "spliced-start.sse",
    { end: { kind: "server", fault: "stream_error" } },
  ],
  [
    "frames may be typed only by their event name, and blocks may have no index",
    "type-in-event-only.sse",
    { calls: [readA, readB], end: "tool-calls" },
  ],
  [
    'an answer that ends with "tool_use" without a block can be asked again',
    "tools-promised.sse",
    { end: { kind: "server", fault: "empty_tool_use" } },
  ],
  [
    'an answer of words that ends with "tool_use" says so',
    "tools-promised-text.sse",
    { text: "All is done.", end: "tool-calls" },
  ],
  [
    "pause_turn is a stop: only server tools pause a turn, and we offer none",
    "pause-turn.sse",
    { text: "Searching.", end: "stop" },
  ],
  [
    "a gateway's [DONE] replaces message_stop if the stop reason is known",
    "done-mark.sse",
    { calls: [readA], end: "tool-calls" },
  ],
  [
    "N12: [DONE] alone is not an end",
    "done-mark-only.sse",
    { calls: [readA], end: { kind: "network", fault: "incomplete_stream" } },
  ],
  [
    "N12: a stream without message_stop is incomplete",
    "no-end.sse",
    { calls: [readA], end: { kind: "network", fault: "incomplete_stream" } },
  ],
];

const failures: typeof calls = [
  [
    "N12: an error event during a call cancels it",
    "error-in-call.sse",
    { end: { kind: "overloaded", fault: "stream_error" } },
  ],
  [
    "N12: an error may be the first event of a reply with HTTP 200",
    "error-first.sse",
    { end: { kind: "overloaded", fault: "stream_error" } },
  ],
  [
    "N12: an error may come mid-stream",
    "error-mid-stream.sse",
    { text: "Hello", end: { kind: "overloaded", fault: "stream_error" } },
  ],
  [
    "N12: a gateway's error without a type is an error",
    "error-without-type.sse",
    { text: "Wait.", end: { kind: "server", fault: "stream_error" } },
  ],
  [
    "N12: an error event that is not JSON is an error",
    "error-as-text.sse",
    { text: "Wait.", end: { kind: "server", fault: "stream_error" } },
  ],
];

test.each([...calls, ...streams, ...failures])("%s", async (_, file, expected) => {
  expect(summary(await hear(file))).toEqual(expected);
});

test("thinking and redacted thinking are sent back unchanged, each before its call", async () => {
  const { events } = await hear("interleaved-thinking.sse");
  const body = anthropic.encodeAsk(askedNext("claude-opus-4-6", events), { streamed: true });
  const blocks = ["thinking", "redacted_thinking", "tool_use", "thinking", "tool_use"];
  expect(body["messages"]).toMatchObject([
    { role: "user" },
    { role: "assistant", content: blocks.map((type) => ({ type })) },
    { role: "user" },
  ]);
});

test("N12: a whole reply that is an error is a stream error, even with status 200", () => {
  const body = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  const expected = { kind: "overloaded", fault: "stream_error" };
  expect(() => anthropic.decodeWhole(body)).toThrow(expect.objectContaining(expected));
  expect(() => anthropic.decodeWhole({ error: body.error })).toThrow(expect.objectContaining(expected));
  expect(anthropic.decodeError(200, {}, JSON.stringify(body))).toMatchObject(expected);
  expect(anthropic.decodeError(529, {}, JSON.stringify(body)).fault).toBeUndefined();
});
