import { expect, test } from "vitest";
import { gemmaToolCode } from "./gemma-tool-code.ts";
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
  tool("roll", { sides: "integer", count: "integer" }, ["sides"]),
  tool("ping", {}),
];

const read = (text: string, options: ReadingOptions = {}): ReadAnswer =>
  readAnswer(text, { tools, ...options });
const known = (text: string): ReadAnswer => read(text, { known: gemmaToolCode });
const fence = (code: string): string => `\`\`\`tool_code\n${code}\n\`\`\``;

test.each<[string, string, ToldCall[]]>([
  ["a printed call", "print(roll(sides=20, count=3))", [["roll", { sides: 20, count: 3 }]]],
  ["a call of default_api", "print(default_api.play(track='a'))", [["default_api.play", { track: "a" }]]],
  [
    "plain calls",
    'play(track="a")\nping() # see',
    [
      ["play", { track: "a" }],
      ["ping", {}],
    ],
  ],
  [
    "a list",
    "[ping(), ping()]",
    [
      ["ping", {}],
      ["ping", {}],
    ],
  ],
  ["a positional value", 'print(play("a"))', [["play", { track: "a" }, "positional"]]],
  ["a triple-quoted string", 'play(track="""a\n"b"\n""")', [["play", { track: 'a\n"b"\n' }]]],
])(
  "a tool_code fence is a call as the whole message, and anywhere from a model taught it: %s",
  (_, code, calls) => {
    for (const chunk of [1, 3, 100]) expect(toldCalls(read(fence(code), { chunk }))).toEqual(calls);
    const around = known(`Now.\n\n${fence(code)}\n\nThere.`);
    expect([toldCalls(around), around.text]).toEqual([calls, "Now.\nThere."]);
  },
);

test("at the end of an answer with other text a fence of this language counts, as a guess", () => {
  expect(read(`Sure.\n${fence("ping()")}`)).toMatchObject({
    text: "Sure.",
    calls: [{ name: "ping", repairs: [{ code: "unmarked", guess: true }] }],
  });
});

test.each([
  `${fence("ping()")}\nThat pings.`,
  fence("nothing()"),
  fence("import math\nprint(math.pi)"),
  fence("for i in range(3):\n    roll(sides=6)"),
  fence("ping()\nx = 5"),
  fence('print(f"{ping()}")'),
  "```tool_code\nroll(sides=",
  "```python\nping()\n```",
  `> ${fence("ping()").replaceAll("\n", "\n> ")}`,
])("N1, N8: any other text or fence is text: %s", (text) => {
  expect(read(text)).toMatchObject({ text, calls: [] });
});

test("a fence may lack its end where the answer ended normally", () => {
  const text = "```tool_code\nping()";
  expect(toldCalls(read(text))).toEqual([["ping", {}]]);
  expect(read(text, { reason: "length" })).toMatchObject({ text, calls: [] });
});

test("several fences are several calls", () => {
  const text = `${fence("ping()")}\n${fence("roll(sides=6)")}`;
  const calls = [
    ["ping", {}],
    ["roll", { sides: 6 }],
  ];
  expect(toldCalls(read(text))).toEqual(calls);
  expect(toldCalls(known(text))).toEqual(calls);
});

test("without a fence, only calls of default_api as the whole message are read", () => {
  expect(toldCalls(read("print(default_api.play(track='a)'))"))).toEqual([
    ["default_api.play", { track: "a)" }],
  ]);
  expect(toldCalls(read("default_api.ping()\ndefault_api.ping()"))).toHaveLength(2);
  for (const text of [
    "print(ping())",
    "default_api.ping is a call.",
    "default_api.ping()\nThat is it.",
    "default_api.nothing()",
  ])
    expect(read(text)).toMatchObject({ text, calls: [] });
});

test("from a model taught the dialect, damaged calls are reported, and code without offered tools is text", () => {
  expect(toldCalls(known(fence("play(track=title)")))).toEqual([["play", "malformed_arguments"]]);
  expect(toldCalls(known(fence("ping()\nx = 5")))).toEqual([["ping", "malformed_arguments"]]);
  expect(toldCalls(known("```tool_code\nplay(track='a"))).toEqual([["play", "truncated"]]);
  expect(toldCalls(known("```tool_code\nping()"))).toEqual([["ping", {}, "closing-tag"]]);
  const other = fence("import math\nprint(math.pi)");
  expect(known(other)).toMatchObject({ text: other, calls: [] });
});

test("a fence inside a string does not end the tool_code fence", () => {
  const code = 'play(track="""a\n```\nb""")';
  expect(toldCalls(known(fence(code)))).toEqual([["play", { track: "a\n```\nb" }]]);
});

test("N9, N18: an invented output ends the message, and so does the end of the turn", () => {
  const output = known(`${fence("ping()")}\n\`\`\`tool_output\nok\n\`\`\`\nIt works.`);
  expect(output).toMatchObject({ notices: ["fabricated_result"], text: "", calls: [{ name: "ping" }] });
  expect(toldCalls(read(`${fence("ping()")}<end_of_turn>`))).toEqual([["ping", {}]]);
});

test("results are written in fences that they cannot close", () => {
  const content = [{ type: "text" as const, text: "```\nx\n```" }];
  expect(gemmaToolCode.writeResults([{ id: "1", name: "ping", content, isError: false }])).toBe(
    "````tool_output\n```\nx\n```\n````",
  );
});
