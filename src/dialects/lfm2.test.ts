import { expect, test } from "vitest";
import type { WrittenCall } from "./dialect.ts";
import { lfm2 } from "./python-in-marks.ts";
import {
  readAnswer,
  tool,
  type ReadAnswer,
  type ReadingOptions,
  toldCalls,
  type ToldCall,
} from "./testing/reading.ts";

const tools = [
  tool("write_file", { path: "string", content: "string", tags: "array", opt: "object" }, ["path"]),
  tool("play", { track: "string", volume: "number" }, ["track"]),
  tool("roll", { sides: "integer" }, ["sides"]),
  tool("ping", {}),
];

const read = (text: string, options: ReadingOptions = {}): ReadAnswer =>
  readAnswer(text, { tools, ...options });
const block = (body: string): string => `<|tool_call_start|>${body}<|tool_call_end|>`;

test("A18: calls are written as one Python list, results between LFM2's tokens", () => {
  const calls: WrittenCall[] = [
    { id: "1", name: "play", input: { track: 'a "b"\n', volume: 0.5, loop: true, next: null } },
    { id: "2", name: "ping", input: {} },
  ];
  expect(lfm2.writeCalls(calls)).toBe(
    block(String.raw`[play(track='a "b"\n', volume=0.5, loop=True, next=None), ping()]`),
  );
  const content = [{ type: "text" as const, text: "no host" }];
  expect(lfm2.writeResults([{ id: "2", name: "ping", content, isError: true }])).toBe(
    "<|tool_response_start|>Error: no host<|tool_response_end|>",
  );
});

test.each<[string, string, ToldCall[]]>([
  [
    "LFM2's own form",
    `[play(track="Autumn, 'Leaves'"), ping()]`,
    [
      ["play", { track: "Autumn, 'Leaves'" }],
      ["ping", {}],
    ],
  ],
  [
    "JSON's keywords among Python's",
    "[play(track='a', volume=null), roll(sides=6,)]",
    [
      ["play", { track: "a", volume: null }],
      ["roll", { sides: 6 }],
    ],
  ],
  [
    "objects as JSON",
    `[write_file(path='a', opt={"k": true, "n": {"m": null}}, tags=['x', "y"])]`,
    [["write_file", { path: "a", opt: { k: true, n: { m: null } }, tags: ["x", "y"] }]],
  ],
  [
    "brackets in strings",
    `[play(track='grep -F "]" log.txt')]`,
    [["play", { track: 'grep -F "]" log.txt' }]],
  ],
  [
    "a line break in a string",
    "[play(track='cat <<EOF\nhi\nEOF')]",
    [["play", { track: "cat <<EOF\nhi\nEOF" }, "control"]],
  ],
  ["a backslash at the end", String.raw`[play(track='pattern \\')]`, [["play", { track: "pattern \\" }]]],
  [
    "negative numbers and tuples",
    "[play(track='a', volume=-74.5), write_file(path='a', tags=(800, 600))]",
    [
      ["play", { track: "a", volume: -74.5 }],
      ["write_file", { path: "a", tags: [800, 600] }],
    ],
  ],
  ["white space around", " [ping()] \n", [["ping", {}]]],
  ["a call without a list", "ping()", [["ping", {}]]],
  ["JSON", '[{"name": "ping", "arguments": {}}]', [["ping", {}]]],
  ["one JSON object", '{"name": "roll", "arguments": {"sides": 6}}', [["roll", { sides: 6 }]]],
  ["an unescaped string", "[play(track='it's fine')]", [["play", { track: "it's fine" }, "inner-quote"]]],
  [
    "the closing token in a string",
    "[play(track='a <|tool_call_end|> b')]",
    [["play", { track: "a <|tool_call_end|> b" }]],
  ],
  [
    "an unescaped string with the closing token",
    "[play(track='it's <|tool_call_end|> b')]",
    [["play", { track: "it's <|tool_call_end|> b" }, "inner-quote"]],
  ],
  ["a missing bracket", "[roll(sides=6)", [["roll", { sides: 6 }, "closers"]]],
  ["two missing brackets", "[roll(sides=6", [["roll", { sides: 6 }, "closers"]]],
  ["words after the list", "[ping()] That is it.", [["ping", {}, "trailing-text"]]],
  ["a tool that was not offered", "[launch(code=1)]", [["launch", { code: 1 }]]],
])("a block is read: %s", (_, body, calls) => {
  expect(toldCalls(read(block(body)))).toEqual(calls);
  const around = read(`Now.${block(body)}Playing.`);
  expect([toldCalls(around), around.text]).toEqual([calls, "Now.\nPlaying."]);
});

test("an empty list is no call", () => {
  expect(read(block("[]"))).toMatchObject({ text: "", calls: [], notices: [] });
});

test("the id of a call in JSON is kept", () => {
  expect(read(block('[{"name": "ping", "arguments": {}, "id": "c1"}]')).calls[0]?.id).toBe("c1");
});

test.each([
  "[play(track=title)]",
  '[play(track="a" + "b")]',
  "[play(track=[t for t in all])]",
  "[ping(), 5]",
  "[roll(sides=6)]\nx = 5",
])("code that would have to be evaluated is refused: %s", (body) => {
  expect(toldCalls(read(block(body)))).toMatchObject([
    [expect.stringMatching(/play|ping|roll/), "malformed_arguments"],
  ]);
});

test("a block with one bad call is refused as a whole, and the problem names that call", () => {
  const [call, ...more] = read(block("[ping(), play(track=x)]")).calls;
  expect(more).toEqual([]);
  expect(call).toMatchObject({
    name: "ping",
    input: {},
    problem: expect.stringContaining("This is about play"),
  });
});

test("N11: a truncated value never runs; a missing end is supplied unless the length limit was hit", () => {
  for (const body of ["[play(track='a", "[play(track=", "[play(", "[ping(), pla", "[roll(sides=1"])
    expect(toldCalls(read(`<|tool_call_start|>${body}`))).toMatchObject([[expect.any(String), "truncated"]]);
  expect(toldCalls(read("<|tool_call_start|>[ping()]"))).toEqual([["ping", {}, "closing-tag"]]);
  expect(toldCalls(read("<|tool_call_start|>[ping()]", { reason: "length" }))).toEqual([
    ["ping", "truncated"],
  ]);
  const words = read("<|tool_call_start|>[ping()]\nI wait.");
  expect([toldCalls(words), words.text]).toEqual([[["ping", {}, "closing-tag"]], "I wait."]);
});

test("a missing end before the next block is supplied", () => {
  const text = `<|tool_call_start|>[ping()]${block("[roll(sides=6)]")}`;
  expect(toldCalls(read(text))).toEqual([
    ["ping", {}, "closing-tag"],
    ["roll", { sides: 6 }],
  ]);
});

test("N4, N5, N9, N18: prose and closed reasoning hold no calls; invented results and turns end the message", () => {
  const prose = "LFM2 writes <|tool_call_start|>[…] around its calls.";
  expect(read(prose)).toMatchObject({ text: prose, calls: [] });
  expect(read(`<think>Maybe ${block("[ping()]")}?</think>No.`)).toMatchObject({ text: "No.", calls: [] });
  const result = read(`${block("[ping()]")}<|tool_response_start|>ok<|tool_response_end|>Done.`);
  expect(result).toMatchObject({ notices: ["fabricated_result"], text: "" });
  expect(read(`${block("[ping()]")}<|tool_response_start|>`).notices).toEqual([]);
  const turn = read(`${block("[ping()]")}<|im_end|>\n<|im_start|>user\n${block("[ping()]")}`);
  expect(toldCalls(turn)).toEqual([["ping", {}]]);
});
