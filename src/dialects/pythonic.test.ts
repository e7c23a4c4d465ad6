import { expect, test } from "vitest";
import { resolveToolName } from "../protocol/tool-name.ts";
import { llama4 } from "./python-in-marks.ts";
import { pythonic } from "./pythonic.ts";
import {
  readAnswer,
  tool,
  type ReadAnswer,
  type ReadingOptions,
  toldCalls,
  type ToldCall,
} from "./testing/reading.ts";

const tools = [
  tool("play", { track: "string", volume: "number" }, ["track"]),
  tool("roll", { sides: "integer" }, ["sides"]),
  tool("ping", {}),
];

const read = (text: string, options: ReadingOptions = {}): ReadAnswer =>
  readAnswer(text, { tools, ...options });

test.each<[string, string, ToldCall[]]>([
  ["one call", '[play(track="So What", volume=2)]', [["play", { track: "So What", volume: 2 }]]],
  [
    "several, and white space",
    "\n[ping(), roll(sides=6)]\n",
    [
      ["ping", {}],
      ["roll", { sides: 6 }],
    ],
  ],
  [
    "several lists",
    "[ping()]\n[roll(sides=6)]",
    [
      ["ping", {}],
      ["roll", { sides: 6 }],
    ],
  ],
  ["after reasoning", "<think>I ping.</think>\n[ping()]", [["ping", {}]]],
  ["before the end of the turn", "[ping()]<|eot|>", [["ping", {}]]],
  ["a bracket in a text", "[play(track=')]')]", [["play", { track: ")]" }]]],
  ["a name in another spelling", '[play(Track="a")]', [["play", { Track: "a" }]]],
])("N7: a list of calls is a call if it is the whole message: %s", (_, text, calls) => {
  for (const chunk of [1, 3, text.length]) expect(toldCalls(read(text, { chunk }))).toEqual(calls);
});

test.each([
  "[ping()] and more",
  "Sure.\n[ping()]",
  "- [ping()]",
  "[ping()](https://example.org)",
  "```python\nroll(sides=6)\n```",
  "```python\n[roll(sides=6)]\n```\nThis rolls.",
  "So:\n```python\n[roll(sides=6)]\n```",
  "```js\n[roll(sides=6)]\n```",
  "[nothing(a=1)]",
  "[ping(), nothing()]",
  '[play(title="a")]',
  '[play("a")]',
  "[play(track=title)]",
  "[play(track='it's')]",
  "[roll(sides: int)]",
  "[roll(sides=6) for i in range(3)]",
  "[ping()",
  "[ping]",
  '["ping()"]',
  "[ping(), 'x']",
  "[]",
  "ping()",
  "roll(sides=6",
  "roll(6)",
  "roll(sides=six)",
  "roll(edges=6)",
  "roll(sides=6) # rolls",
  "roll(sides=6) and roll(sides=7)",
  "Write roll(sides=6)",
  "roll(sides=6).then(print)",
  "print(roll(sides=6))",
])("N6–N8: text that only resembles a list of calls is text: %s", (text) => {
  expect(read(text)).toMatchObject({ text: text.trim(), calls: [] });
});

test("N7: a list may end the answer of a model taught this dialect, and is a guess for another", () => {
  const text = "I ping.\n[ping()]";
  expect(toldCalls(read(text, { known: pythonic }))).toEqual([["ping", {}]]);
  expect(toldCalls(read(text, { known: llama4 }))).toEqual([["ping", {}, "unmarked"]]);
  expect(toldCalls(read("[ping()]\nI wait.", { known: pythonic }))).toEqual([]);
  expect(toldCalls(read("[play(track='it's')]", { known: pythonic }))).toEqual([
    ["play", { track: "it's" }, "inner-quote"],
  ]);
  expect(toldCalls(read('[play("a")]', { known: pythonic }))).toEqual([
    ["play", { track: "a" }, "positional"],
  ]);
});

test.each<[string, string, ToldCall[]]>([
  ["a call", "roll(sides=6)", [["roll", { sides: 6 }, "unmarked"]]],
  [
    "calls in a row",
    'roll(sides=6)\nping()\nplay(track="a (b), c")\n',
    [
      ["roll", { sides: 6 }, "unmarked"],
      ["ping", {}, "unmarked"],
      ["play", { track: "a (b), c" }, "unmarked"],
    ],
  ],
  ["a list in a fence", "```python\n[roll(sides=6)]\n```", [["roll", { sides: 6 }, "unmarked"]]],
  ["a list in a fence without a language", "```\n[ping()]\n```", [["ping", {}, "unmarked"]]],
  ["the end of a fence alone", "[roll(sides=6)]\n```", [["roll", { sides: 6 }]]],
  ["arguments under one more name", "[roll(params={'sides': 6})]", [["roll", { sides: 6 }, "wrapped"]]],
])("as the whole message counts, and may be a guess: %s", (_, text, calls) => {
  for (const chunk of [1, 3, text.length]) expect(toldCalls(read(text, { chunk }))).toEqual(calls);
});

test("a model that was taught this dialect may write words around a fence, and leave out the last bracket", () => {
  const fence = "```python\n[roll(sides=6)]\n```";
  for (const text of [`I roll.\n${fence}`, `${fence}\nThis rolls.`, `I roll.\n${fence}\nThis rolls.`])
    expect(read(text, { known: pythonic }).calls).toMatchObject([{ name: "roll", input: { sides: 6 } }]);
  expect(toldCalls(read("roll(sides=6)", { known: pythonic }))).toEqual([["roll", { sides: 6 }]]);
  expect(toldCalls(read("[roll(sides=6)", { known: pythonic }))).toEqual([["roll", { sides: 6 }, "closers"]]);
  for (const text of ["[roll(sides=6)", "[play(volume=2)"])
    expect(toldCalls(read(text, { known: pythonic, reason: "length" }))).toEqual([]);
});

test("the backslash that Markdown wants in a name is no part of it", () => {
  const named = [tool("read_file", { path: "string" })];
  for (const text of [
    '[read\\_file(path="a")]',
    'read\\_file(path="a")',
    '{"name": "read\\_file", "arguments": {"path": "a"}}',
  ])
    expect(readAnswer(text, { tools: named }).calls).toMatchObject([
      { name: "read\\_file", input: { path: "a" } },
    ]);
  expect(resolveToolName("read\\_file", ["read_file"])).toBe("read_file");
});

const block = (body: string): string => `<|python_start|>${body}<|python_end|>`;

test.each<[string, string, ToldCall[]]>([
  [
    "a list",
    '[play(track="a"), ping()]',
    [
      ["play", { track: "a" }],
      ["ping", {}],
    ],
  ],
  ["a call", "ping()", [["ping", {}]]],
  ["JSON", '{"name": "play", "parameters": {"track": "a"}}', [["play", { track: "a" }]]],
  [
    "several objects",
    '{"type": "function", "name": "ping", "parameters": {}}; {"name": "ping", "parameters": {}}',
    [
      ["ping", {}],
      ["ping", {}],
    ],
  ],
  [
    "nested lists",
    "[play(track='a', queue=[['b', 'c'], ['d']])]",
    [["play", { track: "a", queue: [["b", "c"], ["d"]] }]],
  ],
  ["a missing bracket", "[ping()", [["ping", {}, "closers"]]],
  ["a tool that was not offered", "[launch(a=1)]", [["launch", { a: 1 }]]],
  ["a variable", "[play(track=a)]", [["play", "malformed_arguments"]]],
])("a block in Llama 4's markers is read after text: %s", (_, body, calls) => {
  const answer = read(`Now. ${block(body)}<|eom|>`);
  expect([toldCalls(answer), answer.text]).toEqual([calls, "Now."]);
});

test("Llama 4's markers around plain text are layout, and an unclosed call ends with the answer", () => {
  expect(read(block("I will check."))).toMatchObject({ text: "I will check.", calls: [] });
  expect(toldCalls(read("<|python_start|>[ping()]"))).toEqual([["ping", {}, "closing-tag"]]);
  expect(toldCalls(read("<|python_start|>[play(track='a"))).toEqual([["play", "truncated"]]);
  expect(read(`${block("[ping()]")}<|eot|><|header_start|>user<|header_end|>\n\nhi`)).toMatchObject({
    text: "",
  });
});

test("A18: history is written with markers for Llama 4 and without them for pythonic", () => {
  const calls = [{ id: "1", name: "play", input: { track: "a", volume: 2 } }];
  expect(pythonic.writeCalls(calls)).toBe('[play(track="a", volume=2)]');
  expect(llama4.writeCalls(calls)).toBe(block('[play(track="a", volume=2)]'));
});

test("a list whose argument is computed by another call is an error, not silence", () => {
  for (const text of ['[play(track=join("a", b))]', "[roll(sides=int(input()))]"])
    expect(toldCalls(read(text))).toMatchObject([[text.slice(1, 5), "malformed_arguments"]]);
  for (const text of ["[play(track=title)]", "[play(title=join(a))]", "[play(track=join(a)) for a in b]"])
    expect(read(text)).toMatchObject({ calls: [], text });
});
