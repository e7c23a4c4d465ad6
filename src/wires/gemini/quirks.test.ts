import { expect, test } from "vitest";
import { readAll, type StreamOutcome } from "../../testing/read-all.ts";
import { askedNext, summary, transcript, type StreamSummary } from "../testing/stream-summary.ts";
import { gemini } from "./gemini.ts";

/** Deviations of the API from the documented stream, each as a recorded one. */

const hear = (file: string): Promise<StreamOutcome> => readAll(gemini, transcript(gemini, file));

const quirks: [title: string, file: string, heard: StreamSummary][] = [
  [
    "calls come whole, without ids and even without arguments, and end with STOP",
    "no-ids.sse",
    {
      calls: [
        ["read_file", { path: "a.ts" }],
        ["read_file", { path: "b.ts" }],
        ["list_files", {}],
      ],
      end: "tool-calls",
    },
  ],
  [
    "newer models send ids with their calls",
    "calls.sse",
    {
      calls: [
        ["check_flight", { flight: "AA100" }, "fc1"],
        ["check_flight", { flight: "AA200", seats: 2 }, "fc2"],
        ["list_taxis", {}, "fc3"],
      ],
      end: "tool-calls",
    },
  ],
  [
    "integers written as floats stay integers",
    "floats.sse",
    { calls: [["read_file", { path: "a.ts", from: 3, to: 10, ratio: 0.5 }, "fc1"]], end: "tool-calls" },
  ],
  [
    "arguments may be a string instead of an object",
    "args-as-text.sse",
    { calls: [["read_file", { path: "a.ts" }, "fc1"]], end: "tool-calls" },
  ],
  [
    "streamed argument values end with an empty call or with the last value",
    "streamed-arguments.sse",
    {
      calls: [
        ["controlLight", { brightness: 50, colorTemperature: "warm" }, "fc1"],
        [
          "setScenes",
          { scenes: [{ name: "night", on: false, fade: null }, { name: "day" }], "a.b": [1] },
          "fc2",
        ],
      ],
      end: "tool-calls",
    },
  ],
  [
    "N11: streamed arguments are truncated if the length limit ends the answer",
    "max-tokens.sse",
    {
      calls: [
        ["read_file", { path: "a.ts" }, "fc1"],
        ["run_command", "truncated", '{"command":"rm -rf /srv/ol"}'],
      ],
      end: "length",
    },
  ],
  [
    "N11: streamed arguments are truncated if nothing ends them",
    "stream-never-closed.sse",
    { calls: [["run_command", "truncated", '{"command":"ls"}']], end: "tool-calls" },
  ],
  [
    "a call without a name is reported to the model, not lost",
    "nameless.sse",
    { calls: [["", "unknown_tool", '{"path":"a.ts"}']], end: "tool-calls" },
  ],
  [
    "parts marked as thought are reasoning",
    "thoughts.sse",
    { reasoning: "**Counting**\n\nI add the two numbers.", text: "The sum is 2.", end: "stop" },
  ],
  [
    "MALFORMED_FUNCTION_CALL is a call the provider could not parse",
    "malformed-call.sse",
    { end: { kind: "malformed", fault: "malformed_by_provider" } },
  ],
  [
    "UNEXPECTED_TOOL_CALL is treated the same",
    "unexpected-tool-call.sse",
    { text: "Let me see.", end: { kind: "malformed", fault: "malformed_by_provider" } },
  ],
  [
    "N12: a call beside MALFORMED_FUNCTION_CALL does not run, even if it is valid",
    "malformed-with-call.sse",
    { text: "Let me.", end: { kind: "malformed", fault: "malformed_by_provider" } },
  ],
  [
    "N12: MALFORMED_FUNCTION_CALL after a complete call fails the answer",
    "malformed-after-call.sse",
    {
      calls: [["read_file", { path: "a.ts" }, "fc1"]],
      end: { kind: "malformed", fault: "malformed_by_provider" },
    },
  ],
  [
    "N12: an error among the events is an error",
    "error.sse",
    { text: "Let me", end: { kind: "overloaded", fault: "stream_error" } },
  ],
  [
    "N12: a multi-line error between the events is an error",
    "error-bare.sse",
    { text: "Let me", end: { kind: "overloaded", fault: "stream_error" } },
  ],
  [
    "N12: an error in a list is an error",
    "error-in-list.sse",
    { text: "Let me", end: { kind: "rate-limit", fault: "stream_error" } },
  ],
  [
    "N12: a stream without a finish reason is incomplete",
    "no-end.sse",
    {
      calls: [["read_file", { path: "a.ts" }, "fc1"]],
      end: { kind: "network", fault: "incomplete_stream" },
    },
  ],
];

test.each(quirks)("%s", async (_, file, expected) => {
  expect(summary(await hear(file))).toEqual(expected);
});

test("a thought signature is sent back only on the part it came with", async () => {
  const { events } = await hear("no-ids.sse");
  const body = gemini.encodeAsk(askedNext("gemini-3-pro-preview", events), { streamed: true });
  expect(body["contents"]).toMatchObject([
    { role: "user" },
    { parts: [{ thoughtSignature: "c2lnMQ==" }, { functionCall: {} }, { functionCall: {} }] },
    { role: "user" },
  ]);
  expect(JSON.stringify(body).match(/thoughtSignature/g)).toHaveLength(1);
});

test("N12: a whole reply that is an error is a stream error, even with status 200", () => {
  const body = { error: { code: 429, message: "Quota exceeded.", status: "RESOURCE_EXHAUSTED" } };
  const expected = { kind: "rate-limit", fault: "stream_error" };
  expect(() => gemini.decodeWhole(body)).toThrow(expect.objectContaining(expected));
  expect(gemini.decodeError(200, {}, JSON.stringify([body]))).toMatchObject(expected);
  expect(gemini.decodeError(429, {}, JSON.stringify(body)).fault).toBeUndefined();
});
