/** How results are written back where a family's template shows its own form in a user turn. */

import { describe, expect, test } from "vitest";
import { cohere2, cohereCommand } from "./cohere-command.ts";
import type { Dialect, WrittenResult } from "./dialect.ts";
import { bielik } from "./hermes.ts";
import { minimaxM2 } from "./minimax-m2.ts";
import { minimaxM3 } from "./minimax-m3.ts";
import { muse } from "./muse.ts";
import { few as tools, outcome, ping } from "./testing/outcome.ts";
import { readAnswer } from "./testing/reading.ts";

const result = (id: string, name: string, text: string, isError = false): WrittenResult => ({
  id,
  name,
  isError,
  content: [{ type: "text", text }],
});
const results = [result("call_7", "ping", "pong"), result("call_8", "roll", "no die", true)];

test.each<[Dialect, string]>([
  [minimaxM2, "<response>pong</response>\n<response>Error: no die</response>"],
  [minimaxM3, "<response>pong</response>\n<response>Error: no die</response>"],
  [
    muse,
    '<tool_output name="ping">\npong\n</tool_output>\n<tool_output name="roll">\nError: no die\n</tool_output>',
  ],
  [bielik, "<|function_output|>pong<|function_output|>Error: no die"],
])("A18: results as the template writes them", (dialect, text) => {
  expect(dialect.writeResults(results), dialect.name).toBe(text);
});

describe.each([
  { dialect: cohereCommand, first: '"pong"', second: '"no die"' },
  { dialect: cohere2, first: '{"content": "pong"}', second: '{"content": "no die"}' },
])("$dialect.name", ({ dialect, first, second }) => {
  const entry = (id: string, text: string, failed: string): string =>
    `    {\n        "tool_call_id": "${id}",\n        "results": {\n            "0": ${text}\n        },\n        "is_error": ${failed}\n    }`;

  test("A18: results are listed under the numbers of their calls", () => {
    expect(dialect.writeResults(results)).toBe(
      `<|START_TOOL_RESULT|>[\n${entry("0", first, "null")},\n${entry("1", second, "true")}\n]<|END_TOOL_RESULT|>`,
    );
    const written = dialect.writeCalls([
      { id: "call_7", name: "ping", input: {} },
      { id: "call_8", name: "roll", input: { sides: 6 } },
    ]);
    expect(written).toContain('{"tool_call_id": "0", "tool_name": "ping"');
    expect(written).toContain('{"tool_call_id": "1", "tool_name": "roll"');
  });

  test("the number that the model wrote itself goes back as it was", () => {
    const own = dialect.writeCalls([{ id: "3", name: "ping", input: {} }]);
    expect(own).toContain('{"tool_call_id": "3"');
    expect(dialect.writeResults([result("3", "ping", "pong")])).toContain('"tool_call_id": "3"');
  });
});

describe("N9: a tag that other texts have, too, is an invented result only for the model that is taught it", () => {
  const call = minimaxM2.writeCalls([{ id: "1", name: "ping", input: {} }]);
  const answer = `${call}\n<response>pong</response>\nIt works.`;

  test("it ends the message of such a model, at the beginning of a line", () => {
    expect(outcome(answer, { tools, known: minimaxM2 })).toMatchObject({ text: "", calls: [ping] });
    const sentence = "The server wraps it in <response> and </response>.";
    expect(outcome(sentence, { tools, known: minimaxM2 }).text).toBe(sentence);
  });

  test("it is text of any other", () => {
    // Of ERNIE's tags, which enclose an answer, the closing one alone is dropped.
    expect(outcome("I show:\n<response>pong", { tools }).text).toBe("I show:\n<response>pong");
  });
});

test("the family's own mark of a result ends a call whose closing tag is missing", () => {
  const text = '<tool_call>\n{"name": "ping", "arguments": {}}\n<|function_output|>pong';
  expect(readAnswer(text, { known: bielik, tools, chunk: 3 })).toMatchObject({
    calls: [{ name: "ping", input: {} }],
    text: "",
    notices: ["fabricated_result"],
  });
});
