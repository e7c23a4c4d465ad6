import { expect, test } from "vitest";
import { readText } from "./read-text.ts";
import { tool } from "./testing/reading.ts";

const tools = [tool("read_file", { path: "string" }, ["path"])];
const call = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n</tool_call>';

test("A18: calls are extracted from a whole text, and the rest of the text is returned without them", () => {
  expect(readText(`First.\n${call}\nThen.\n${call}`, { tools })).toMatchObject({
    text: "First.\nThen.",
    calls: [{ input: { path: "a.ts" } }, { input: { path: "a.ts" } }],
    partial: undefined,
  });
});

test("A18, A28: in a text still being written, an unfinished call is reported by name and never as a call", () => {
  const half = call.slice(0, call.indexOf("a.ts") + 2);
  expect(readText(`Now.\n${half}`, { tools, goesOn: true })).toMatchObject({
    text: "Now.",
    calls: [],
    partial: "read_file",
  });
  expect(readText("See <tool_c", { tools, goesOn: true })).toMatchObject({ text: "See", partial: undefined });
});

test("1.F: a call truncated inside a string is reported as truncated, neither lost nor completed", () => {
  const cut = '<tool_call>{"name": "read_file", "arguments": {"path": "...';
  expect(readText(cut, { tools }).calls).toMatchObject([{ fault: "truncated", input: {} }]);
});

test("1.F: markers and raw line breaks inside strings are data", () => {
  const text = '<tool_call>{"name": "read_file", "arguments": {"path": "a</tool_call>\nb"}}</tool_call>';
  expect(readText(text, { tools }).calls).toMatchObject([{ input: { path: "a</tool_call>\nb" } }]);
});

test("1.F: two calls are both read if the first lacks its closing tag or both share one block", () => {
  const one = '{"name": "read_file", "arguments": {"path": "a"}}';
  for (const text of [
    `<tool_call>${one}\n<tool_call>${one}</tool_call>`,
    `<tool_call>${one}\n${one}</tool_call>`,
  ])
    expect(readText(text, { tools }).calls).toHaveLength(2);
});

test("1.F: an OpenAI-shaped call is read with its name and with arguments encoded as a string", () => {
  const text = `<tool_call>{"type":"function","function":{"name":"read_file","arguments":"{\\"path\\":\\"a\\"}"}}</tool_call>`;
  expect(readText(text, { tools }).calls).toMatchObject([{ name: "read_file", input: { path: "a" } }]);
});
