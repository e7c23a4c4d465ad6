/** Calls as models write them who half remember a family's form, and texts that only speak of such calls. */

import { expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { dialects } from "./index.ts";
import { outcome } from "./testing/outcome.ts";
import { readAnswer, tool } from "./testing/reading.ts";

const tools = [
  tool("edit", { path: "string", content: "string", line: "integer" }, ["path"]),
  tool("clock", {}),
  tool("shell", { command: "string", place: "string" }, ["command"]),
];
const edit: [string, JsonObject] = ["edit", { path: "a.md" }];
const line: [string, JsonObject] = ["edit", { path: "a.md", line: 5 }];
const clock: [string, JsonObject] = ["clock", {}];

test.each([
  [
    "anthropic-xml",
    '<function_calls>\n<invoke name="edit">\n{"path": "a.md"}\n</invoke>\n</function_calls>',
    edit,
  ],
  [
    "minimax-m2",
    '<minimax:tool_call>\n<invoke name="edit">{"path": "a.md"}</invoke>\n</minimax:tool_call>',
    edit,
  ],
  [
    "deepseek-dsml",
    '<| DSML | tool_calls>\n<| DSML | invoke name="clock">\n</| DSML | invoke>\n</| DSML | tool_calls>',
    clock,
  ],
  ["deepseek-v3", '<｜tool▁call▁begin｜>edit\n{"path": "a.md"}<｜tool▁call▁end｜>', edit],
  ["inkling", '<|message_model|>edit<|content_invoke_tool_json|>{"path": "a.md"}<|end_message|>', edit],
  ["internlm2", '<|action_start|>{"name": "clock", "parameters": {}}<|action_end|>', clock],
  ["bare-json", '{"action": "edit", "action_input": {"path": "a.md"}}', edit],
  ["bare-json", '{"tool_name": "edit", "tool_input": {"path": "a.md", "line": 5}}', line],
  ["bare-json", '{"function_name": "edit", "function_args": {"path": "a.md"}}', edit],
  [
    "qwen-xml",
    "<tool_call>\n<function=edit>\n<path>a.md</path>\n<line>5</line>\n</function>\n</tool_call>",
    line,
  ],
  ["qwen-xml", "<function=edit>\n<path>\na.md\n</path>\n</function>", edit],
  [
    "qwen-xml",
    '<tool_call><function=edit><parameter name="path" value="a.md" /></function></tool_call>',
    edit,
  ],
  ["anthropic-xml", '<invoke name="edit">\n<parameter name="path" value="a.md"/>\n</invoke>', edit],
  [
    "minicpm",
    '<function name="edit"><param name="path" value="a.md"/><param name="line" value="5" /></function>',
    line,
  ],
  ["mistral", '[TOOL_CALLS]edit(path="a.md", line=5)', line],
  ["mistral", "[TOOL_CALLS] [edit(path='a.md')]</s>", edit],
  ["mistral", "[TOOL_CALLS]clock()[/TOOL_CALLS]", clock],
  ["mistral-list", '[TOOL_CALLS]edit(path="a.md")', edit],
  ["cline-xml", '<edit path="a.md" line="5">\n</edit>', line],
  ["cline-xml", "<edit path='a.md'\n  line='5' />", line],
  ["cline-xml", '<edit path="a.md">\n<line>5</line>\n</edit>', line],
  [
    "cline-xml",
    `<shell command="${"x > y && ".repeat(40)}z"/>`,
    ["shell", { command: `${"x > y && ".repeat(40)}z` }],
  ],
  ["react", 'Action: edit\nAction Input: path="a.md", line=5', line],
  ["react", "Action: shell\nAction Input: command='ls'", ["shell", { command: "ls" }]],
  ["react", "Action: shell\nAction Input: x=1 make", ["shell", { command: "x=1 make" }]],
] as const)("%s: %s", (name, text, call) => {
  const known = dialects[name];
  for (const taught of known?.tier === "taught" ? [known] : [known, undefined])
    expect(outcome(text, { tools, known: taught })).toMatchObject({ text: "", calls: [call], faults: [] });
});

test.each([
  [
    "granite",
    '<|tool_call|>{"name": "edit", "arguments": {"path": "a.md"}}\n{"name": "clock", "arguments": {}}',
  ],
  [
    "granite",
    '<|tool_call|>[{"name": "edit", "arguments": {"path": "a.md"}}]\n[{"name": "clock", "arguments": {}}]',
  ],
  [
    "granite-function",
    '<function_call> {"name": "edit", "arguments": {"path": "a.md"}}\n{"name": "clock", "arguments": {}}',
  ],
  ["mistral", "[TOOL_CALLS]edit(path='a.md')\n[TOOL_CALLS]clock()"],
  ["mistral", "[TOOL_CALLS][edit(path='a.md'), clock()]"],
  ["qwen-xml", "<function=edit>\n<path>a.md</path>\n</function>\n<function=clock>\n</function>"],
  [
    "qwen-xml",
    "<tool_call>\n<function=edit>\n<path>a.md</path>\n</function>\n</tool_call>\n<tool_call>\n<function=clock>\n</function>\n</tool_call>",
  ],
] as const)("%s: one call after the other: %s", (name, text) => {
  for (const known of [dialects[name], undefined])
    expect(outcome(text, { tools, known })).toMatchObject({ text: "", calls: [edit, clock], faults: [] });
});

test("entities in an attribute may have been meant as they stand: a guess", () => {
  const { calls } = readAnswer('<shell command="a &amp;&amp; b"/>', { tools, known: dialects["cline-xml"] });
  expect(calls[0]).toMatchObject({
    input: { command: "a && b" },
    repairs: [{ code: "entities", guess: true }],
  });
});

test.each([
  ["react", "Action: edit\nAction Input: path=a.md and more"],
  ["minicpm", '<function name="edit"><param name="path"/></function>'],
  [
    "minicpm",
    '<function name="edit"><param name="path" value="a"/><param name="path" value="b"/></function>',
  ],
  ["qwen-xml", "<tool_call>\n<function=edit>\n<b>a.md</b>\n</function>\n</tool_call>"],
  ["mistral", '[TOOL_CALLS]edit(path=open("a").read())'],
  ["cline-xml", `<shell command="${"x".repeat(150)}" "now"/>`],
  ["anthropic-xml", '<function_calls>\n<invoke name="edit">\n{"path": "a.\n</invoke>\n</function_calls>'],
])("%s: what is not clear is an error: %s", (name, text) => {
  const { calls, faults } = outcome(text, { tools, known: dialects[name] });
  expect({ calls, count: faults.length }).toEqual({ calls: [], count: 1 });
});

test.each([
  ["pythonic", "def edit(path):\n    clock()"],
  ["pythonic", "It goes on:\n\n  edit(path='a.md')"],
  ["bare-json", '{"action": "edit", "path": "a.md"}'],
  ["bare-json", '{"action": "clock", "time": "12:00"}'],
  ["qwen-xml", "<function=edit>\n<b>a.md</b>\n</function>"],
  ["qwen-xml", "It writes `<function=edit><path>a</path></function>` there."],
  ["qwen-xml", "So:\n\n```xml\n<function=edit>\n<path>a.md</path>\n</function>\n```\n\nIs that right?"],
  ["qwen-xml", "<function=unknown>\n<path>a.md</path>\n</function>"],
  ["mistral", "The mark [TOOL_CALLS] begins a call."],
  ["mistral", '[TOOL_CALLS]unknown(path="a.md")'],
  ["mistral", "It writes `[TOOL_CALLS]edit(path='a.md')` then."],
  ["mistral", "[TOOL_CALLS]edit is the name (with its arguments)."],
  ["minicpm", 'It says <param name="path" value="a.md"/> somewhere.'],
  ["cline-xml", '<edit path="a.md"> opens the file.'],
  ["cline-xml", '<edit speed="3"/>'],
  ["cline-xml", `<edit speed="${"3".repeat(200)}"/>`],
  ["cline-xml", '<edit path="a.md" is no tag.'],
  ["cline-xml", '<input path="a.md"/>'],
  ["cline-xml", 'Write <edit path="a.md"/> for that.'],
  ["cline-xml", 'So:\n\n```xml\n<edit path="a.md"/>\n```\n\nIs that right?'],
  ["internlm2", "The mark <|action_start|> opens it."],
  ["deepseek-v3", "It writes <｜tool▁call▁begin｜>edit and then JSON."],
])("%s is text: %s", (name, text) => {
  for (const known of [dialects[name], undefined])
    expect(outcome(text, { tools, known })).toMatchObject({ text, calls: [], faults: [] });
});

test("harmony: what a thought quotes of the format is part of it", () => {
  const quoted = "I might send `<|channel|>commentary to=functions.clock<|message|>{}` later";
  const text = `<|channel|>analysis<|message|>${quoted}<|end|><|start|>assistant<|channel|>final<|message|>No.`;
  expect(outcome(text, { tools })).toMatchObject({ text: "No.", reasoning: quoted, calls: [] });
});

test("JSON on the line after a call is text, unless it names a tool on offer", () => {
  const call = '<|tool_call|>{"name": "clock", "arguments": {}}';
  for (const rest of ['{"name": "demo", "version": 1}', '{"version": 1}', "[1, 2]"])
    expect(outcome(`${call}\n${rest}`, { tools })).toMatchObject({ text: rest, calls: [clock] });
});
