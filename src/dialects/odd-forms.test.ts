/** Calls as models write them who half remember a family's form, and texts that only speak of such calls. */

import { expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { dialects } from "./index.ts";
import { outcome } from "./testing/outcome.ts";
import { tool } from "./testing/reading.ts";

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
  ["react", 'Action: edit\nAction Input: path="a.md", line=5', line],
  ["react", "Action: shell\nAction Input: command='ls'", ["shell", { command: "ls" }]],
  ["react", "Action: shell\nAction Input: x=1 make", ["shell", { command: "x=1 make" }]],
] as const)("%s: %s", (name, text, call) => {
  const known = dialects[name];
  for (const taught of known?.tier === "taught" ? [known] : [known, undefined])
    expect(outcome(text, { tools, known: taught })).toMatchObject({ text: "", calls: [call], faults: [] });
});

test.each([
  ["react", "Action: edit\nAction Input: path=a.md and more"],
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
