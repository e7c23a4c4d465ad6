import { expect, test } from "vitest";
import type { WrittenCall } from "./dialect.ts";
import { phi4 } from "./phi-4.ts";
import { few, outcome, ping, pingJson, roll, rollJson } from "./testing/outcome.ts";
import { tool } from "./testing/reading.ts";

const read = (text: string, known?: typeof phi4) => outcome(text, { tools: few, known });

test("a list follows functools and ends with its bracket", () => {
  const calls: WrittenCall[] = [
    { id: "1", name: "roll", input: { sides: 6 } },
    { id: "2", name: "ping", input: {} },
  ];
  expect(phi4.writeCalls(calls)).toBe(`functools[${rollJson}, ${pingJson}]`);
  expect(read(`On it.\nfunctools[${rollJson}, ${pingJson}]<|end|>`)).toMatchObject({
    text: "On it.",
    calls: [roll, ping],
  });
  expect(read(`functools [${rollJson}]\nI wait.`)).toMatchObject({ text: "I wait.", calls: [roll] });
});

test("brackets inside the arguments do not end the list", () => {
  const note = tool("note", { tags: "array", body: "string" });
  const text = 'functools[{"name": "note", "arguments": {"tags": ["a", ["b"]], "body": "x]}]"}}]';
  expect(outcome(text, { tools: [note] }).calls).toEqual([["note", { tags: ["a", ["b"]], body: "x]}]" }]]);
});

test("a pair of markers is read around a list and around an object", () => {
  for (const body of [rollJson, `[${rollJson}]`])
    for (const known of [undefined, phi4])
      expect(read(`<|tool_call|>${body}<|/tool_call|>`, known)).toMatchObject({ text: "", calls: [roll] });
  expect(
    read(`<|tool_call|>${rollJson}<|/tool_call|><|tool_call|>${pingJson}<|/tool_call|>`, phi4),
  ).toMatchObject({
    text: "",
    calls: [roll, ping],
    sources: ["phi-4"],
  });
});

test("a missing bracket at the end of the answer is supplied; a truncated value is refused", () => {
  expect(read(`functools[${rollJson}`).calls).toEqual([roll]);
  expect(read('functools[{"name": "say", "arguments": {"text": "cu')).toMatchObject({
    calls: [],
    faults: ["truncated"],
  });
});

test.each([
  "functools.partial binds arguments.",
  "Use functools[0] or functools[key].",
  "See functools",
  "functools[{a}]",
])("N4: %s is text", (text) => {
  expect(read(text, phi4)).toMatchObject({ text, calls: [] });
});

test("N18: an invented turn ends the message, and the end token is dropped", () => {
  expect(read("A die.<|end|><|user|>And now?", phi4)).toMatchObject({ text: "A die.", calls: [] });
  expect(read("A die.<|end|>", phi4).text).toBe("A die.");
});
