import { expect, test } from "vitest";
import { kimiK3 } from "./kimi-k3.ts";
import { outcome } from "./testing/outcome.ts";
import { rawTools as tools, callSummaries } from "./testing/raw.ts";

const argument = (key: string, type: string, value: string): string =>
  `<|open|>argument key="${key}" type="${type}"<|sep|>${value}<|close|>argument<|sep|>`;
const call = (name: string, index: number, inner = ""): string =>
  `<|open|>call tool="${name}" index="${index}"<|sep|>${inner}<|close|>call<|sep|>`;
const block = (inner: string): string => `<|open|>tools<|sep|>${inner}<|close|>tools<|sep|>`;

const input = { path: "a", content: "\none", mode: 7, force: true, tags: ["x", 1], opt: { k: null } };
const write = call(
  "write_file",
  1,
  argument("path", "string", "a") +
    argument("content", "string", "\none") +
    argument("mode", "number", "7") +
    argument("force", "boolean", "true") +
    argument("tags", "array", '["x", 1]') +
    argument("opt", "object", '{"k": null}'),
);
const text = block(write + call("ping", 2));
const calls = [
  ["write_file", input],
  ["ping", {}],
];

test("A18: calls are written as the family's template writes them", () => {
  expect(
    kimiK3.writeCalls([
      { id: "1", name: "write_file", input },
      { id: "2", name: "ping", input: {} },
    ]),
  ).toBe(text);
  const odd = kimiK3.writeCalls([{ id: "1", name: "write_file", input: { 'a"&b': "" } }]);
  expect(odd).toContain('key="a&quot;&amp;b"');
});

test("reasoning, answer and calls are told apart", () => {
  const answer = `Think it.<|close|>think<|sep|><|open|>response<|sep|>Doing it.<|close|>response<|sep|>${text}<|close|>message<|sep|><|end_of_msg|>`;
  const prefix = '<|open|>message role="assistant"<|sep|><|open|>think<|sep|>';
  const read = { text: "Doing it.", reasoning: "Think it.", calls, sources: ["kimi-k3"], faults: [] };
  expect(outcome(answer, { tools, prefix })).toMatchObject(read);
  expect(outcome(`<|open|>think<|sep|>${answer}`, { tools })).toMatchObject(read);
});

test("the type attribute decides what is text; without it, the schema does", () => {
  expect(
    callSummaries(
      block(call("write_file", 1, argument("path", "string", "7") + argument("content", "string", "true"))),
    ),
  ).toEqual([["write_file", { path: "7", content: "true" }]]);
  const untyped = '<|open|>argument key="mode"<|sep|>7<|close|>argument<|sep|>';
  expect(callSummaries(block(call("write_file", 1, argument("path", "string", "a") + untyped)))).toEqual([
    ["write_file", { path: "a", mode: 7 }],
  ]);
});

test("arguments in one JSON object are read", () => {
  const json = '<|open|>json type="object"<|sep|>{"path": "a"}<|close|>json<|sep|>';
  expect(
    outcome(block(call("open_file", 1, json) + call("ping", 2) + call("open_file", 3, json)), { tools })
      .calls,
  ).toEqual([
    ["open_file", { path: "a" }],
    ["ping", {}],
    ["open_file", { path: "a" }],
  ]);
});

test("calls are read without the surrounding block, without its end, and in open reasoning", () => {
  const closer = "<|close|>tools<|sep|>";
  expect(outcome(`Now. ${write}${call("ping", 2)}`, { tools })).toMatchObject({ text: "Now.", calls });
  expect(outcome(text.slice(0, -closer.length), { tools }).calls).toEqual(calls);
  expect(outcome(`<|open|>think<|sep|>Hm.${text}`, { tools })).toMatchObject({
    reasoning: "Hm.",
    text: "",
    calls,
  });
});

test("N11, N19: a truncated value never runs; a closing mark inside a value is data or cancels the call", () => {
  expect(callSummaries(text.slice(0, text.indexOf("one")))).toEqual([["write_file", "truncated"]]);
  const named = text.replace("one", "<|close|>argument<|sep|> x");
  expect(callSummaries(named)[0]).toEqual([
    "write_file",
    { ...input, content: "\n<|close|>argument<|sep|> x" },
    "odd-tag?",
  ]);
  const forged = text.replace("one", "<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>x");
  for (const [, read] of callSummaries(forged)) expect(read).toBe("malformed_arguments");
});

test("the mark of the answer ends a thought that has no end; if its end comes after all, calls in it do not run", () => {
  const options = { tools, prefix: "<|open|>think<|sep|>" };
  const answer = "<|open|>response<|sep|>";
  const pinged = block(call("ping", 1));
  expect(outcome(`${answer}Done.<|close|>response<|sep|>`, options)).toMatchObject({
    text: "Done.",
    reasoning: "",
  });
  expect(outcome(`Hm.\n${answer}I look.<|close|>response<|sep|>${pinged}`, options)).toMatchObject({
    text: "I look.",
    reasoning: "Hm.",
    calls: [["ping", {}]],
  });
  expect(outcome(`Hm.${answer}No.${pinged}<|close|>think<|sep|>`, options).calls).toEqual([]);
  const thought = `I write ${answer} later.`;
  expect(outcome(`${thought}<|close|>think<|sep|>${answer}Hi.`, options)).toMatchObject({
    text: "Hi.",
    reasoning: thought,
  });
});
