import { expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import { invalidInput, unknownTool, unreadableCall } from "./call-problems.ts";

const schema: JsonObject = {
  type: "object",
  properties: { path: { type: "string" }, content: { type: "string" }, edits: { type: "array" } },
  required: ["path"],
};
const takes = "The tool takes: { path: string, content?: string, edits?: array }";

test("D8: of long arguments only the start of the faulty part is shown", () => {
  const input = { path: "a", content: "x".repeat(500), edits: [{ old: 5 }] };
  const told = (place: (string | number)[]): string | undefined =>
    invalidInput({ words: "why", places: [place] }, schema, input).split("\n")[2];
  expect(told(["edits", 0, "old"])).toBe(`You wrote, as "edits[0].old": 5`);
  expect(told(["content"])).toBe(`You wrote, as "content": "${"x".repeat(199)}…`);
  expect(told(["not there"])).toBe(`You wrote: {"path":"a","content":"${"x".repeat(200 - 23)}…`);
  expect(told([])).toMatch(/^You wrote: \{"path":"a"/);
});

test("shown arguments are never cut inside a character", () => {
  const told = invalidInput({ words: "why", places: [["path"]] }, schema, { path: "😀".repeat(200) });
  expect(told.isWellFormed()).toBe(true);
});

test("D8: of a few tools all are named, of many only those with a similar name", () => {
  const many = Array.from({ length: 30 }, (_, at) => `tool_${at}`);
  expect(unknownTool("x", ["a", "b"])).toBe(
    'ERROR: The tool "x" does not exist. The tools that exist: a, b.',
  );
  expect(unknownTool("readFile", [...many, "read_files", "file_reader"])).toMatch(
    /^ERROR: The tool "readFile" does not exist\. The closest of the 32 tools that exist: read_files, file_reader, /,
  );
  expect(unknownTool("x".repeat(9999), []).length).toBeLessThan(300);
});

const call = (more: Partial<ToolCall>): ToolCall => ({
  id: "1",
  name: "write",
  input: {},
  source: "native",
  ...more,
});

test("an unreadable call is reported with its own text and what the tool takes", () => {
  expect(unreadableCall(call({ rawArguments: '{"path": }' }), "a value is missing", { schema })).toBe(
    `ERROR: The call of write could not be read: a value is missing\nYou wrote: {"path": }\n${takes}\nNothing was done. Send the whole call again.`,
  );
  expect(unreadableCall(call({}), "no name", undefined)).toBe(
    "ERROR: The call of write could not be read: no name\nNothing was done. Send the whole call again.",
  );
});

test("N11: a truncated call is reported with where it ended and how to send less at a time", () => {
  const cut = call({ fault: "truncated", rawArguments: `{"content": "${"x".repeat(500)}end` });
  expect(
    unreadableCall(cut, "it was cut", { schema, whenTooLong: "write the first part, then the rest" }),
  ).toBe(
    `ERROR: The call of write was cut off before its end, so nothing of it was run.\nIt ended with: …${"x".repeat(197)}end\n` +
      "Send the whole call again. If it is long, send less at once: write the first part, then the rest.",
  );
  expect(unreadableCall(call({ fault: "truncated" }), "it was cut", undefined)).toMatch(
    /in several smaller calls\.$/,
  );
});

test("a nameless call is not reported under its placeholder name", () => {
  const problem = "The call has no name.";
  const nameless = call({
    name: "unreadable_call",
    problem,
    fault: "malformed_arguments",
    rawArguments: "x",
  });
  expect(unreadableCall(nameless, problem, undefined)).toBe(
    "ERROR: A call could not be read: The call has no name.\nYou wrote: x\nNothing was done. Send the whole call again.",
  );
  const tooMany = "There were more than 32 calls.";
  expect(unreadableCall(call({ problem: tooMany, fault: "too_many_calls" }), tooMany, undefined)).toBe(
    "ERROR: There were more than 32 calls.",
  );
});
