import { expect, test } from "vitest";
import { dots } from "./dots.ts";
import { outcome } from "./testing/outcome.ts";
import { rawTools as tools, callSummaries } from "./testing/raw.ts";

const invokes =
  '<invoke name="write_file">\n<parameter name="path">a</parameter>\n<parameter name="tags">["x", 1]</parameter>\n</invoke>\n<invoke name="ping">\n</invoke>';
const text = `<dots_function_call>\n${invokes}\n</dots_function_call>`;
const input = { path: "a", tags: ["x", 1] };
const calls = [
  ["write_file", input],
  ["ping", {}],
];

test("A18: calls and results are written in its own tags", () => {
  const written = [
    { id: "1", name: "write_file", input },
    { id: "2", name: "ping", input: {} },
  ];
  expect(dots.writeCalls(written)).toBe(text);
  const content = [{ type: "text" as const, text: "pong" }];
  expect(dots.writeResults([{ id: "1", name: "ping", content, isError: true }])).toBe(
    "<dots_function_response>\nError: pong\n</dots_function_response>",
  );
});

test("its calls are read as tags or as JSON, and the tags around them are no text", () => {
  expect(outcome(`I go.${text}`, { tools })).toMatchObject({
    text: "I go.",
    calls,
    sources: ["dots"],
    faults: [],
  });
  const json = '<dots_function_call>{"name": "ping", "arguments": {}}</dots_function_call>';
  expect(outcome(`${text}${json}\n${json}`, { tools })).toMatchObject({
    text: "",
    calls: [...calls, ["ping", {}], ["ping", {}]],
  });
});

test("N4, N11: its mark in a sentence is text, and a value that was cut off never runs", () => {
  const sentence = "It writes <dots_function_call> and then the calls.";
  expect(outcome(sentence, { tools })).toMatchObject({ text: sentence, calls: [], faults: [] });
  expect(callSummaries(text.slice(0, text.indexOf("a</")))).toEqual([["write_file", "truncated"]]);
});

test("N9: a result that the model writes itself ends the message", () => {
  const answer = `${text}\n<dots_function_response>\nok\n</dots_function_response>\n${text}`;
  expect(outcome(answer, { tools }).calls).toEqual(calls);
});
