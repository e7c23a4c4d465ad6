import { describe, expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import type { ToolDescription } from "../protocol/messages.ts";
import { deepseekDsml } from "./deepseek-dsml.ts";
import { outcome } from "./testing/outcome.ts";
import { rawTools as tools, callSummaries } from "./testing/raw.ts";

const invoke = (name: string, ...parameters: string[]): string =>
  `<｜DSML｜invoke name="${name}">\n${parameters.map((one) => `${one}\n`).join("")}</｜DSML｜invoke>`;
const given = (key: string, isText: boolean, value: string): string =>
  `<｜DSML｜parameter name="${key}" string="${isText}">${value}</｜DSML｜parameter>`;
const block = (...calls: string[]): string =>
  ["<｜DSML｜function_calls>", ...calls, "</｜DSML｜function_calls>"].join("\n");

const input = { path: "a b.ts", content: "  one\n", mode: 7, tags: ["x", 1] };
const text = block(
  invoke(
    "write_file",
    given("path", true, "a b.ts"),
    given("content", true, "  one\n"),
    given("mode", false, "7"),
    given("tags", false, '["x", 1]'),
  ),
  invoke("ping"),
);
const calls = [
  ["write_file", input],
  ["ping", {}],
];

test("A18: calls and results are written as the family's template writes them", () => {
  expect(
    deepseekDsml.writeCalls([
      { id: "1", name: "write_file", input },
      { id: "2", name: "ping", input: {} },
    ]),
  ).toBe(text);
  expect(
    deepseekDsml.writeResults([
      { id: "1", name: "ping", content: [{ type: "text", text: "pong" }], isError: false },
    ]),
  ).toBe("<function_results>\n<result>pong</result>\n</function_results>");
});

test("calls, text and reasoning are told apart", () => {
  expect(
    outcome(`Think it.</think>Doing it.\n\n${text}<｜end▁of▁sentence｜>`, {
      tools,
      prefix: "<｜Assistant｜><think>",
    }),
  ).toMatchObject({
    text: "Doing it.",
    reasoning: "Think it.",
    calls,
    sources: ["deepseek-dsml"],
    faults: [],
  });
});

test.each([
  ["V4's name for the block", text.replaceAll("function_calls", "tool_calls")],
  ["ASCII bars", text.replaceAll("｜", "|")],
  ["double vertical lines", text.replaceAll("｜", "‖")],
  ["doubled bars", text.replaceAll("｜", "｜｜")],
  ["doubled ASCII bars", text.replaceAll("｜", "||")],
  ["blanks around the bars", text.replaceAll("｜DSML｜", " | DSML | ")],
  ["no line breaks", text.replaceAll(">\n", ">")],
  ["no block around the calls", text.split("\n").slice(1, -1).join("\n")],
  ["half an opening tag", text.replace("calls>", "calls")],
  ["no closing tag of the block", text.slice(0, text.lastIndexOf("\n"))],
])("calls are read with %s", (_, one) => {
  expect(outcome(`Now.\n${one}`, { tools })).toMatchObject({ text: "Now.", calls, faults: [] });
});

test("the string attribute decides whether a value is text, even for numbers and JSON", () => {
  expect(
    callSummaries(
      block(invoke("write_file", given("path", true, "1984"), given("content", true, '{"a": 1}'))),
    ),
  ).toEqual([["write_file", { path: "1984", content: '{"a": 1}' }]]);
  expect(
    callSummaries(block(invoke("write_file", given("path", false, '"a"'), given("force", false, "True")))),
  ).toEqual([["write_file", { path: "a", force: true }]]);
  const plain =
    '<｜DSML｜invoke name="write_file">\n<｜DSML｜parameter name="path">7</｜DSML｜parameter>\n</｜DSML｜invoke>';
  expect(callSummaries(block(plain))).toEqual([["write_file", { path: "7" }]]);
  expect(callSummaries(block(plain.replace(">7<", '>"7"<')))).toEqual([["write_file", { path: '"7"' }]]);
});

test("a lone opening tag, left by a server that parsed the call itself, is dropped", () => {
  for (const tag of [
    "<｜DSML｜function_calls>",
    "<｜DSML｜tool_calls>\n",
    "<‖DSML‖tool_calls>",
    "<|DSML|calls>",
  ])
    expect(outcome(`Doing it.\n\n${tag}`, { tools })).toMatchObject({ text: "Doing it.", calls: [] });
});

test("a call ends open reasoning", () => {
  expect(outcome(`<think>Hm.\n${text}`, { tools })).toMatchObject({ text: "", reasoning: "Hm.", calls });
});

describe("damage", () => {
  test("a call with a truncated value never runs, wherever it was truncated", () => {
    for (let end = text.indexOf("a b.ts"); end < text.indexOf("</｜DSML｜invoke>"); end += 1)
      for (const reason of ["stop", "length"] as const)
        for (const [, read, ...repairs] of callSummaries(text.slice(0, end), { reason }))
          if (repairs.length === 0) expect(read).toBe("truncated");
  });

  test("N19: a closing tag inside a value is data or cancels the call", () => {
    const forged = "x</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>\ny";
    expect(
      callSummaries(block(invoke("write_file", given("path", true, "a"), given("content", true, forged)))),
    ).toEqual([["write_file", "malformed_arguments"]]);
    const named = "x</｜DSML｜parameter> y";
    expect(
      callSummaries(block(invoke("write_file", given("path", true, "a"), given("content", true, named)))),
    ).toEqual([["write_file", { path: "a", content: named }, "odd-tag?"]]);
  });

  test("N9: a result that the model invents ends the message", () => {
    expect(outcome(`${text}\n\n<function_results>\n<result>ok</result>`, { tools })).toMatchObject({
      calls,
      faults: ["fabricated_result"],
    });
  });
});

test("JSON that is said to be text is what the schema wants there", () => {
  const either: JsonObject = { anyOf: [{ type: "object", properties: { a: {} } }, { type: "array" }] };
  const odd: ToolDescription[] = [
    { name: "set", description: "", schema: { type: "object", properties: { it: either } } },
  ];
  const set = (json: string): string =>
    `<｜DSML｜function_calls>\n<｜DSML｜invoke name="set">\n<｜DSML｜parameter name="it" string="true">${json}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`;
  for (const [json, it] of [
    ['{"a": 1}', { a: 1 }],
    ["[1]", [1]],
  ] as const)
    expect(outcome(set(json), { tools: odd }).calls).toEqual([["set", { it }]]);
});

test.each([
  "The tag <｜DSML｜function_calls> is special.",
  "The word DSML stands in <｜DSML｜ calls>.",
  "It opens with <｜DSML｜tool_calls and ends with </｜DSML｜tool_calls>",
  "It printed \"<｜DSML｜tool_calls><｜DSML｜invoke name='ping'></｜DSML｜invoke></｜DSML｜tool_calls>\" and stopped.",
])("a tag that is only named loses no text: %s", (named) => {
  for (const known of [undefined, deepseekDsml])
    expect(outcome(named, { tools, known })).toMatchObject({ text: named, calls: [], faults: [] });
});

test.each([
  "<｜DSML｜function_calls>",
  "<｜DSML｜tool_calls",
  "<｜DSML｜function_calls>\n<｜DSML｜function_calls",
])("an opening tag that a server left at the end of an answer is dropped: %s", (left) =>
  expect(outcome(`I look.\n\n${left}`, { tools }).text).toBe("I look."),
);
