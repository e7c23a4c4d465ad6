import { expect, test } from "vitest";
import { readAll, type StreamOutcome } from "../../testing/read-all.ts";
import { summary, transcript, type StreamSummary } from "../testing/stream-summary.ts";
import { openaiResponses } from "./openai-responses.ts";

/** Deviations of servers from the format, each as a recorded stream. */

const hear = (file: string): Promise<StreamOutcome> =>
  readAll(openaiResponses, transcript(openaiResponses, file));

const paris: [string, object, string] = ["get_weather", { location: "Paris" }, "call_1"];
const oslo: [string, object, string] = ["get_weather", { location: "Oslo" }, "call_2"];

const quirks: [title: string, file: string, heard: StreamSummary][] = [
  [
    "the id of a call is its call_id, not the id of its item",
    "tool-call.sse",
    { calls: [["get_weather", { location: "Paris, France" }, "call_1234xyz"]], end: "tool-calls" },
  ],
  [
    "the finished item supplies the arguments if deltas are missing",
    "deltas-missing.sse",
    { calls: [paris], end: "tool-calls" },
  ],
  [
    "the finished arguments count if the finished item is missing",
    "done-only.sse",
    { calls: [paris], end: "tool-calls" },
  ],
  ["a finished item sent twice is one call", "item-done-twice.sse", { calls: [paris], end: "tool-calls" }],
  [
    "the finished item wins over deltas that differ from it",
    "finished-item-counts.sse",
    { calls: [paris], end: "tool-calls" },
  ],
  [
    "a call may be complete when its item starts, and may start twice",
    "whole-from-the-start.sse",
    { calls: [paris], end: "tool-calls" },
  ],
  [
    "calls are matched by output_index, since some servers change the item's id in each event",
    "changing-item-ids.sse",
    { calls: [paris, oslo], end: "tool-calls" },
  ],
  [
    "calls that all share one index are matched by their ids",
    "one-index-for-all.sse",
    { calls: [paris, oslo], end: "tool-calls" },
  ],
  [
    "without any index arguments belong to the last call",
    "no-index.sse",
    { calls: [paris, oslo], end: "tool-calls" },
  ],
  [
    "arguments before their item are kept",
    "arguments-before-item.sse",
    { calls: [paris], end: "tool-calls" },
  ],
  [
    "arguments before their item are kept even if the item has another id",
    "arguments-before-item-silent.sse",
    { calls: [paris], end: "tool-calls" },
  ],
  [
    "a call_id may arrive only with the finished item",
    "call-id-late.sse",
    { calls: [paris], end: "tool-calls" },
  ],
  [
    "arguments may be an object instead of a string",
    "arguments-object.sse",
    { calls: [paris], end: "tool-calls" },
  ],
  [
    "N11: at the length limit the item marked incomplete is truncated, and the finished one before it runs",
    "incomplete-item.sse",
    { calls: [paris, ["get_weather", "truncated", '{"location":"Os']], end: "length" },
  ],
  [
    "N11: the last call of an incomplete response sent whole is truncated, even if it is valid",
    "incomplete-at-once.sse",
    { calls: [paris, ["get_weather", "truncated", '{"location":"Oslo"}']], end: "length" },
  ],
  [
    "N11: a call stopped by the content filter is truncated",
    "filtered.sse",
    { calls: [["get_weather", "truncated", '{"location":"Pa']], end: "refusal" },
  ],
  [
    "N12: an error event is an error",
    "error-mid-stream.sse",
    { text: "Hi there", end: { kind: "server", fault: "stream_error" } },
  ],
  [
    "N12: a failed response is an error",
    "failed.sse",
    { text: "Hi there", end: { kind: "server", fault: "stream_error" } },
  ],
  [
    "N12: a proxy's error without a type is an error, and the open call does not run",
    "error-without-type.sse",
    { end: { kind: "server", fault: "stream_error" } },
  ],
  [
    "N12: an error named only by its event is an error",
    "error-event-bare.sse",
    { text: "Hi", end: { kind: "rate-limit", fault: "stream_error" } },
  ],
  [
    "N12: [DONE] does not end a response: without its final event it is incomplete",
    "no-end.sse",
    { calls: [paris], end: { kind: "network", fault: "incomplete_stream" } },
  ],
];

test.each(quirks)("%s", async (_, file, expected) => {
  expect(summary(await hear(file))).toEqual(expected);
});

test("a call keeps one id from start to end, however late the server sends it", async () => {
  for (const file of ["call-id-late.sse", "arguments-before-item.sse", "one-index-for-all.sse"]) {
    const { events } = await hear(file);
    const started = events.flatMap((event) => (event.type === "call-start" ? [event.id] : []));
    const ended = events.flatMap((event) => (event.type === "call-end" ? [event.call.id] : []));
    expect(ended).toEqual(started);
  }
});

const sse = (...frames: object[]): Buffer =>
  Buffer.from(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(""));

test("deltas after a finished item create no further call", async () => {
  const item = { type: "function_call", id: "fc_1", call_id: "a", name: "f", arguments: '{"n":1}' };
  const late = { output_index: 0, item_id: "fc_1" };
  const bytes = sse(
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.function_call_arguments.delta", ...late, delta: "{}" },
    { type: "response.function_call_arguments.done", ...late, arguments: '{"n":1}' },
    { type: "response.completed", response: { model: "m", output: [item] } },
  );
  expect(summary(await readAll(openaiResponses, bytes))).toEqual({
    calls: [["f", { n: 1 }, "a"]],
    end: "tool-calls",
  });
});

test("a call found only in the final output does not close another one", async () => {
  const call = (id: string, args: string): object => ({
    type: "function_call",
    id: `fc_${id}`,
    call_id: id,
    name: "f",
    arguments: args,
  });
  const bytes = sse(
    { type: "response.output_item.added", output_index: 0, item: call("a", "") },
    { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"n":1}' },
    { type: "response.completed", response: { model: "m", output: [call("b", '{"n":2}')] } },
  );
  const { calls } = summary(await readAll(openaiResponses, bytes));
  expect(new Set(calls)).toEqual(
    new Set([
      ["f", { n: 1 }, "a"],
      ["f", { n: 2 }, "b"],
    ]),
  );
});

test("N12: a whole reply that is an error is a stream error, whatever its shape", () => {
  for (const body of [
    { error: { message: "No" } },
    { error: "No" },
    { object: "error", message: "No" },
    { status: "failed", error: { message: "No" }, output: [] },
  ])
    expect(() => openaiResponses.decodeWhole(body)).toThrow(
      expect.objectContaining({ fault: "stream_error" }),
    );
});
