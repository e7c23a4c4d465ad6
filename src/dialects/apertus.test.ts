import { expect, test } from "vitest";
import { apertus } from "./apertus.ts";
import type { WrittenCall } from "./dialect.ts";
import { few, outcome, ping, roll } from "./testing/outcome.ts";
import { readAnswer } from "./testing/reading.ts";

const read = (text: string) => outcome(text, { tools: few });
const block = (body: string): string => `<|tools_prefix|>${body}<|tools_suffix|>`;

test("the key of each object is the tool's name", () => {
  const calls: WrittenCall[] = [
    { id: "1", name: "roll", input: { sides: 6 } },
    { id: "2", name: "ping", input: {} },
  ];
  const text = block('[{"roll": {"sides": 6}}, {"ping": {}}]');
  expect(apertus.writeCalls(calls)).toBe(text);
  expect(read(`On it.${text}<|assistant_end|>`)).toMatchObject({ text: "On it.", calls: [roll, ping] });
});

test("equivalent JSON shapes of a call are read too", () => {
  for (const body of [
    '{"roll": {"sides": 6}}',
    '[{"roll": "{\\"sides\\": 6}"}]',
    '[{"name": "roll", "arguments": {"sides": 6}}]',
    "[{'roll': {'sides': 6}}]",
  ])
    expect(read(block(body)).calls).toEqual([roll]);
  expect(read(block('[{"roll": {"sides": 6}, "ping": {}}]')).calls).toEqual([roll, ping]);
  expect(read(block('[{"ping": null}]')).calls).toEqual([ping]);
});

test("a repaired call lists its repairs, and an intact call lists none", () => {
  const repairs = (body: string) => readAnswer(block(body), { tools: few }).calls.map((call) => call.repairs);
  expect(repairs('[{"roll": {"sides": 6}}]')).toEqual([undefined]);
  expect(repairs('[{"roll": "{\\"sides\\": 6}"}]')).toMatchObject([[{ code: "double-encoded" }]]);
});

test("a call in the middle of the reasoning ends the reasoning", () => {
  const text = `<|inner_prefix|>Six sides.${block('[{"roll": {"sides": 6}}]')}`;
  expect(read(text)).toMatchObject({ reasoning: "Six sides.", text: "", calls: [roll] });
  expect(read("<|inner_prefix|>Hm.<|inner_suffix|>A die.")).toMatchObject({
    reasoning: "Hm.",
    text: "A die.",
  });
});

test("N9: a result that the model writes in brackets after its calls ends the message", () => {
  expect(read(`${block('[{"roll": {"sides": 6}}]')}[4]<|inner_suffix|>Four.`)).toMatchObject({
    text: "",
    calls: [roll],
    faults: ["fabricated_result"],
  });
});

test("an object that names no tool is refused, and so is a truncated one", () => {
  expect(read(block('[{"sides": 6}]')).faults).toEqual(["malformed_arguments"]);
  expect(read('<|tools_prefix|>[{"say": {"text": "c').faults).toEqual(["truncated"]);
});

test("N4: the marker in a sentence is text", () => {
  const text = "Apertus writes <|tools_prefix|> first.";
  expect(read(text)).toMatchObject({ text, calls: [] });
});
