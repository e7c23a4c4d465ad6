import { expect, test } from "vitest";
import type { WrittenCall } from "./dialect.ts";
import { qwenFn } from "./qwen-fn.ts";
import {
  readAnswer,
  tool,
  type ReadAnswer,
  type ReadingOptions,
  toldCalls,
  type ToldCall,
} from "./testing/reading.ts";

const tools = [tool("play", { track: "string" }, ["track"]), tool("ping", {})];

const read = (text: string, options: ReadingOptions = {}): ReadAnswer =>
  readAnswer(text, { tools, ...options });

test("A18: calls are written as pairs of lines, results after the result marker", () => {
  const calls: WrittenCall[] = [
    { id: "1", name: "play", input: { track: "a\nb" } },
    { id: "2", name: "ping", input: {} },
  ];
  expect(qwenFn.writeCalls(calls)).toBe(
    '✿FUNCTION✿: play\n✿ARGS✿: {"track":"a\\nb"}\n✿FUNCTION✿: ping\n✿ARGS✿: {}',
  );
  const content = [{ type: "text" as const, text: "ok" }];
  expect(qwenFn.writeResults([{ id: "2", name: "ping", content, isError: false }])).toBe("✿RESULT✿: ok");
});

test.each<[string, string, ToldCall[], string?]>([
  ["a call", '✿FUNCTION✿: play\n✿ARGS✿: {"track": "a"}', [["play", { track: "a" }]]],
  [
    "a call that ends at the result marker",
    'Ok.\n✿FUNCTION✿: play\n✿ARGS✿: {"track": "a"}\n✿RESULT✿',
    [["play", { track: "a" }]],
    "Ok.",
  ],
  [
    "several calls",
    '✿FUNCTION✿: play\n✿ARGS✿: {"track": "a"}\n✿FUNCTION✿: ping\n✿ARGS✿: {}\n✿RESULT✿: ',
    [
      ["play", { track: "a" }],
      ["ping", {}],
    ],
  ],
  ["no arguments", "✿FUNCTION✿: ping\n✿ARGS✿:\n✿RESULT✿", [["ping", {}]]],
  ["no argument marker either", "✿FUNCTION✿: ping\n✿RESULT✿", [["ping", {}]]],
  ["no line break", '✿FUNCTION✿:ping✿ARGS✿:{"a": 1}', [["ping", { a: 1 }]]],
  ["a fence", '✿FUNCTION✿: play\n✿ARGS✿: ```json\n{"track": "a"}\n```\n✿RESULT✿', [["play", { track: "a" }]]],
  [
    "damaged JSON",
    "✿FUNCTION✿: play\n✿ARGS✿: {'track': 'a',}",
    [["play", { track: "a" }, "quotes", "comma"]],
  ],
  [
    "a marker in a value",
    '✿FUNCTION✿: play\n✿ARGS✿: {"track": "a ✿RESULT✿ b"}',
    [["play", { track: "a ✿RESULT✿ b" }]],
  ],
  [
    "words after the call",
    '✿FUNCTION✿: play\n✿ARGS✿: {"track": "a"}\nI wait.',
    [["play", { track: "a" }]],
    "I wait.",
  ],
  ["a missing bracket", '✿FUNCTION✿: play\n✿ARGS✿: {"track": "a"', [["play", { track: "a" }, "closers"]]],
  ["a truncated value", '✿FUNCTION✿: play\n✿ARGS✿: {"track": "a', [["play", "truncated"]]],
  ["no JSON", "✿FUNCTION✿: play\n✿ARGS✿: the track a\n✿RESULT✿", [["play", "malformed_arguments"]]],
])("an answer is read: %s", (_, text, calls, said = "") => {
  for (const chunk of [1, 3, text.length]) {
    const answer = read(text, { chunk });
    expect([toldCalls(answer), answer.text, answer.notices]).toEqual([calls, said, []]);
  }
});

test("N11: a name without its arguments does not run at the length limit", () => {
  expect(toldCalls(read("✿FUNCTION✿: play\n", { reason: "length" }))).toEqual([["play", "truncated"]]);
  expect(toldCalls(read("✿FUNCTION✿: play\n✿ARGS✿: ", { reason: "length" }))).toEqual([
    ["play", "truncated"],
  ]);
});

test("N9: an invented result ends the message", () => {
  const answer = read("✿FUNCTION✿: ping\n✿ARGS✿: {}\n✿RESULT✿: pong\n✿RETURN✿: It answers.");
  expect(answer).toMatchObject({ notices: ["fabricated_result"], text: "", calls: [{ name: "ping" }] });
});

test("the marker between results and answer is dropped for a model taught the dialect", () => {
  expect(read("✿RETURN✿: It plays.", { known: qwenFn })).toMatchObject({ text: "It plays.", notices: [] });
});

test.each(["The word ✿FUNCTION✿ begins a call.", "✿FUNCTION✿: the name of a tool", "✿FUNCTION✿ and ✿ARGS✿"])(
  "N4: the markers in prose are text: %s",
  (text) => {
    expect(read(text)).toMatchObject({ text, calls: [] });
  },
);
