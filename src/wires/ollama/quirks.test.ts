import { expect, test } from "vitest";
import { readAll, type StreamOutcome } from "../../testing/read-all.ts";
import { summary, transcript, type StreamSummary } from "../testing/stream-summary.ts";
import { ollama } from "./ollama.ts";

/** Deviations of the server and of proxies from the documented stream, each as a recorded one. */

const hear = (file: string): Promise<StreamOutcome> => readAll(ollama, transcript(ollama, file));

const readA: [string, object] = ["read_file", { path: "a.ts" }];

const quirks: [title: string, file: string, heard: StreamSummary][] = [
  [
    "given ids are kept, and a wrong index has no effect",
    "ids.ndjson",
    {
      calls: [
        [...readA, "call_x1"],
        ["read_file", { path: "b.ts" }, "call_x2"],
      ],
      end: "tool-calls",
    },
  ],
  [
    "A16: calls with the same index, identical ones and one in the last line are all calls",
    "parallel-calls.ndjson",
    {
      calls: [
        ["get_temperature", { city: "New York" }],
        ["get_conditions", { city: "New York" }],
        ["get_temperature", { city: "London" }],
        ["get_temperature", { city: "London" }],
      ],
      end: "tool-calls",
    },
  ],
  [
    "arguments may be a string instead of an object, and an empty string means none",
    "string-arguments.ndjson",
    { calls: [readA, ["list_files", {}]], end: "tool-calls" },
  ],
  [
    "N11: an unreadable arguments string before the length limit is truncated",
    "string-arguments-cut.ndjson",
    { calls: [readA, ["run_command", "truncated", '{"command":"rm -rf /srv/old"']], end: "length" },
  ],
  [
    "a complete call runs although the answer reached its length limit after it",
    "length-after-call.ndjson",
    { reasoning: "Hm.", calls: [readA], end: "length" },
  ],
  [
    "name and arguments may be in the call itself",
    "call-beside-name.ndjson",
    { calls: [readA], end: "tool-calls" },
  ],
  [
    "braces and quotation marks in strings are data",
    "braces-in-strings.ndjson",
    {
      calls: [["write_file", { path: "a.ts", content: 'if (a) { return "}" }\n\\{ {{' }]],
      end: "tool-calls",
    },
  ],
  [
    "N12: a call that the server could not parse is reported as a stream error",
    "parse-error.ndjson",
    { text: "Let me see.", end: { kind: "server", fault: "stream_error" } },
  ],
  [
    "N12: an error line is an error",
    "error-mid-stream.ndjson",
    { text: " Yes.", end: { kind: "server", fault: "stream_error" } },
  ],
  [
    "N12: a stream without its last line is incomplete",
    "no-done.ndjson",
    { calls: [readA], end: { kind: "network", fault: "incomplete_stream" } },
  ],
  [
    "an answer that ends with tool_calls but without calls or text is retryable",
    "tools-promised.ndjson",
    { text: " ", end: { kind: "server", fault: "empty_tool_use" } },
  ],
];

test.each(quirks)("%s", async (_, file, expected) => {
  expect(summary(await hear(file))).toEqual(expected);
});

test("N12: a whole reply that is an error is a stream error, even with status 200", () => {
  const body = { error: "the model runner has stopped" };
  const expected = { kind: "server", fault: "stream_error" };
  expect(() => ollama.decodeWhole(body)).toThrow(expect.objectContaining(expected));
  expect(ollama.decodeError(200, {}, JSON.stringify(body))).toMatchObject(expected);
  expect(ollama.decodeError(500, {}, JSON.stringify(body)).fault).toBeUndefined();
});
