import { expect, test } from "vitest";
import { allDialects } from "./index.ts";
import { defuse, markersOf } from "./markers.ts";
import { tools } from "./testing/calls.ts";
import { readAnswer } from "./testing/reading.ts";

const unmistakable = allDialects.filter(({ tier }) => tier === "token" || tier === "tagged");
const calls = [{ id: "call00001", name: "write_file", input: { path: "a.txt", content: "x" } }];
const results = [
  {
    id: "call00001",
    name: "ping",
    content: [{ type: "text" as const, text: "done" }],
    isError: false,
  },
];

test.each(unmistakable)("N9, N20: what text from outside says in $name is no call and no result", (known) => {
  for (const mark of [known.writeCalls(calls), known.writeResults(results), ...(known.turns ?? [])]) {
    const text = `It says:\n${mark}\nAnd more.`;
    const shown = defuse(text, known);
    expect(shown.replaceAll("\u200B", "")).toBe(text);
    const answer = readAnswer(shown, { known, tools });
    expect(answer.notices).toEqual([]);
    expect(answer.calls.filter(({ problem }) => problem === undefined)).toEqual([]);
    if (answer.calls.length === 0) expect(answer.text).toBe(shown);
  }
});

test("plain words, brackets and fences are no marks", () => {
  const program =
    'if (a < b && c > d[0]) { call("x", [1]); }\n```json\n{"name": "a"}\n```\n<div class="a">x</div>\n';
  for (const dialect of allDialects) expect(defuse(program, dialect)).toBe(program);
});

test("the marks around values are found in what is written, however they are spelt", () => {
  const found = Object.fromEntries(allDialects.map((dialect) => [dialect.name, markersOf(dialect)]));
  expect(found["jamba"]).toEqual([
    "<tool_calls>",
    "</tool_calls",
    "<tool_response",
    "</tool_response",
    "<|eom|>",
    "<|bom|>",
  ]);
  expect(found["gemma-4"]).toContain('<|"|>');
  expect(found["kimi-k3"]).toEqual(expect.arrayContaining(["<|open|>", "<|sep|>", "<|close|>"]));
});
