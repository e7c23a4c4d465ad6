import { expect, test } from "vitest";
import type { WrittenCall } from "./dialect.ts";
import { solar2 } from "./solar-2.ts";
import { solar } from "./solar.ts";
import { few, outcome, ping, roll } from "./testing/outcome.ts";

const call = (id: string, name: string, body: string): string =>
  `<|tool_call:begin|>${id}<|tool_call:name|>${name}<|tool_call:args|>${body}<|tool_call:end|>`;
const rollCall = call("a1b2c3d4e5", "roll", '{"sides": 6}');
const read = (text: string, known?: typeof solar) => outcome(text, { tools: few, known });

test("id, name and arguments follow markers of their own, and the ids are kept", () => {
  const text = `<|tool_calls|>${rollCall}${call("f6g7h8i9j0", "ping", "{}")}`;
  const calls: WrittenCall[] = [
    { id: "a1b2c3d4e5", name: "roll", input: { sides: 6 } },
    { id: "f6g7h8i9j0", name: "ping", input: {} },
  ];
  expect(solar.writeCalls(calls)).toBe(text);
  expect(read(`${text}<|calls|>`)).toMatchObject({
    text: "",
    calls: [roll, ping],
    ids: ["a1b2c3d4e5", "f6g7h8i9j0"],
  });
});

test("reasoning ends like every other part of an answer, and the markers between parts are dropped", () => {
  for (const known of [undefined, solar]) {
    const text = `<|think|>Six.<|end|><|begin|>assistant<|content|>On it.<|end|><|begin|>assistant<|tool_calls|>${rollCall}`;
    expect(read(text, known)).toMatchObject({ reasoning: "Six.", text: "On it.", calls: [roll] });
    expect(read("A die.<|end|>", known)).toMatchObject({ reasoning: "", text: "A die." });
  }
});

test("a missing or repeated id is replaced", () => {
  expect(read(call("", "ping", "{}")).ids).toEqual(["own_1"]);
  expect(read(call("x", "ping", "{}") + call("x", "ping", "{}")).ids).toEqual(["x", "own_1"]);
});

test("damage is repaired or refused: missing ends, Python's quotation marks, no arguments, a truncated value", () => {
  expect(read('<|tool_call:begin|>x<|tool_call:name|>roll<|tool_call:args|>{"sides": 6}').calls).toEqual([
    roll,
  ]);
  expect(read(call("x", "roll", "{'sides': 6}")).calls).toEqual([roll]);
  expect(read(call("x", "ping", "")).calls).toEqual([ping]);
  expect(read(`${call("x", "ping", "{}")}<|tool_call:end|>`)).toMatchObject({ text: "", calls: [ping] });
  expect(read('<|tool_call:begin|>x<|tool_call:name|>say<|tool_call:args|>{"text": "c').faults).toEqual([
    "truncated",
  ]);
});

test("N18: the next turn ends the message, and N9: so does a result", () => {
  expect(read("A die.<|end|><|begin|>user<|content|>And?")).toMatchObject({ text: "A die.", faults: [] });
  expect(read(`${rollCall}<|begin|>tool<|content|>4`)).toMatchObject({
    calls: [roll],
    faults: ["fabricated_result"],
  });
});

test("N4: the marker in a sentence is text", () => {
  const text = "It writes <|tool_call:begin|> and then an id.";
  expect(read(text, solar)).toMatchObject({ text, calls: [] });
});

test("version 2 writes the name on the marker's line, and values raw", () => {
  const text =
    "<|tool_call:start|>say\n<|tool_arg:start|>text<|tool_arg:value|>a <b>\n<|tool_arg:end|>\n<|tool_call:end|>";
  expect(solar2.writeCalls([{ id: "1", name: "say", input: { text: "a <b>\n" } }])).toBe(text);
  expect(read(`On it.\n${text}\n<|tool_call:start|>ping\n<|tool_call:end|>`)).toMatchObject({
    text: "On it.",
    calls: [["say", { text: "a <b>\n" }], ping],
  });
  expect(read(text.slice(0, 66)).faults).toEqual(["truncated"]);
});
