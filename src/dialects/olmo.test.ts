import { expect, test } from "vitest";
import type { WrittenCall } from "./dialect.ts";
import { olmo } from "./python-in-marks.ts";
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
  tool("write_file", { path: "string", content: "string" }, ["path"]),
  tool("ping", {}),
];

const read = (text: string, options: ReadingOptions = {}): ReadAnswer =>
  readAnswer(text, { tools, ...options });

test("A18: calls are written one per line, results as in the family's template", () => {
  const calls: WrittenCall[] = [
    { id: "1", name: "play", input: { track: 'it\'s "a"', loop: true, next: null } },
    { id: "2", name: "ping", input: {} },
  ];
  expect(olmo.writeCalls(calls)).toBe(
    "<function_calls>\nplay(track='it\\'s \"a\"', loop=true, next=null)\nping()\n</function_calls>",
  );
  const content = [{ type: "text" as const, text: "ok" }];
  expect(olmo.writeResults([{ id: "2", name: "ping", content, isError: false }])).toBe(
    "Function ping returned:\nok",
  );
});

test.each<[string, string, ToldCall[]]>([
  [
    "separate lines",
    "\nplay(track='a', volume=null)\nping()\n",
    [
      ["play", { track: "a", volume: null }],
      ["ping", {}],
    ],
  ],
  ["one line", "ping()", [["ping", {}]]],
  [
    "a list",
    "[ping(), ping()]",
    [
      ["ping", {}],
      ["ping", {}],
    ],
  ],
  [
    "an unescaped string",
    "\nplay(track='O'Brien', volume=1)\nping()\n",
    [
      ["play", { track: "O'Brien", volume: 1 }, "inner-quote"],
      ["ping", {}],
    ],
  ],
  [
    "the closing tag in a string",
    "\nwrite_file(path='a', content='</function_calls>')\n",
    [["write_file", { path: "a", content: "</function_calls>" }]],
  ],
  ["a call over lines", "\nplay(\n  track='a',\n)\n", [["play", { track: "a" }]]],
  ["an expression", "\nping()\nplay(track=title)\n", [["ping", "malformed_arguments"]]],
])("a block is read: %s", (_, body, calls) => {
  const answer = read(`Now.\n<function_calls>${body}</function_calls>\nDone.`);
  expect([toldCalls(answer), answer.text]).toEqual([calls, "Now.\nDone."]);
});

test("a function_calls block of XML is not read as olmo", () => {
  const other = '<function_calls>\n<invoke name="ping">\n</invoke>\n</function_calls>';
  expect(read(other).calls.every(({ source }) => source !== olmo.name)).toBe(true);
  expect(read(other, { dialects: [olmo] })).toMatchObject({ text: other, calls: [] });
});

test("N11: an unclosed block ends with the answer if its calls are whole", () => {
  expect(toldCalls(read("<function_calls>\nping()"))).toEqual([["ping", {}, "closing-tag"]]);
  expect(toldCalls(read("<function_calls>\nping()\nplay(track='a"))).toEqual([["ping", "truncated"]]);
  expect(toldCalls(read("<function_calls>\nping()<|im_end|>\n<|im_start|>user\nhi"))).toEqual([
    ["ping", {}, "closing-tag"],
  ]);
});

test.each([
  "The tag <function_calls> is its own.",
  "<function_calls>foo(x)</function_calls>",
  "It writes <function_calls> and then name(argument) in it.",
])("N4: the tag in prose is text: %s", (text) => {
  expect(read(text)).toMatchObject({ text, calls: [] });
});
