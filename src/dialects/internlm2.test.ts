import { expect, test } from "vitest";
import { internlm2 } from "./internlm2.ts";
import { few, outcome, ping, roll } from "./testing/outcome.ts";
import { tool } from "./testing/reading.ts";

const python = tool("python", { code: "string", timeout: "integer" }, ["code"]);
const read = (text: string, known?: typeof internlm2) => outcome(text, { tools: [...few, python], known });
const plugin = (body: string): string => `<|action_start|><|plugin|>${body}<|action_end|>`;
const code = (body: string): string => `<|action_start|><|interpreter|>${body}<|action_end|>`;
const rollCall = '{"name": "roll", "parameters": {"sides": 6}}';

test("a call is one JSON object between action markers", () => {
  expect(internlm2.writeCalls([{ id: "1", name: "roll", input: { sides: 6 } }])).toBe(
    plugin(`\n${rollCall}`),
  );
  expect(read(`On it.${plugin(rollCall)}<|im_end|>`)).toMatchObject({ text: "On it.", calls: [roll] });
  expect(read(`<|action_start|> <|plugin|>\n${rollCall}\n<|action_end|>\n`).calls).toEqual([roll]);
  expect(read(`${plugin(rollCall)}\n${plugin('{"name": "ping", "arguments": {}}')}`).calls).toEqual([
    roll,
    ping,
  ]);
});

test("the closing marker may be missing; a truncated call is refused", () => {
  expect(read(`<|action_start|><|plugin|>${rollCall}`).calls).toEqual([roll]);
  expect(read('<|action_start|><|plugin|>{"name": "say", "parameters": {"text": "c').faults).toEqual([
    "truncated",
  ]);
});

test.each([
  ["without a fence", code("\nprint(6 * 7)\n")],
  ["in a fence", code("\n```python\nprint(6 * 7)\n```\n")],
  ["without its closing marker", "<|action_start|><|interpreter|>\nprint(6 * 7)"],
])("code for the interpreter goes to the tool that takes code: %s", (_, text) => {
  expect(read(`I compute.\n${text}`, internlm2)).toMatchObject({
    text: "I compute.",
    calls: [["python", { code: "print(6 * 7)" }]],
  });
});

test("code keeps its indentation and its line breaks", () => {
  expect(read(code("\n  if x:\n    y()\n\n  z()\n"), internlm2).calls).toEqual([
    ["python", { code: "  if x:\n    y()\n\n  z()" }],
  ]);
});

test("N15: code from an unknown model is text, and without a tool for code it calls code_interpreter", () => {
  expect(read(code("print(1)"))).toMatchObject({ text: code("print(1)"), calls: [] });
  expect(outcome(code("print(1)"), { tools: few, known: internlm2 }).calls).toEqual([
    ["code_interpreter", { code: "print(1)" }],
  ]);
});

test("N11, N19: code that was truncated, or ended by a marker inside it, never runs", () => {
  const cut = { tools: [python], known: internlm2, reason: "length" as const };
  expect(outcome("<|action_start|><|interpreter|>\nimport os\nos.rem", cut)).toMatchObject({
    calls: [],
    faults: ["truncated"],
  });
  expect(read(code('print("<|action_end|>")\nclean_up()'), internlm2)).toMatchObject({
    calls: [],
    faults: ["malformed_arguments"],
  });
});

test("N4: the marker in a sentence is text", () => {
  const text = "It begins with <|action_start|> and a role.";
  expect(read(text, internlm2)).toMatchObject({ text, calls: [] });
});
