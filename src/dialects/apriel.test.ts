import { expect, test } from "vitest";
import { apriel } from "./json-in-marks.ts";
import { few, outcome, roll, rollJson } from "./testing/outcome.ts";
import { readAnswer } from "./testing/reading.ts";

const reasons = "<|begin_assistant|>\nHere are my reasoning steps:\n";
const call = `<tool_calls>[${rollJson}]</tool_calls>`;
const read = (text: string, prefix?: string) => outcome(text, { tools: few, known: apriel, prefix });

test("call ids are kept", () => {
  const written = apriel.writeCalls([{ id: "call_7", name: "roll", input: { sides: 6 } }]);
  expect(written).toBe(
    '<tool_calls>[{"name": "roll", "arguments": {"sides": 6}, "id": "call_7"}]</tool_calls>',
  );
  expect(read(`On it.\n${written}\n<|end|>\n`)).toMatchObject({
    text: "On it.",
    calls: [roll],
    ids: ["call_7"],
  });
});

test("text before the final-response marker becomes reasoning although nothing opened it", () => {
  expect(read(`Six.\n[BEGIN FINAL RESPONSE]\nOn it.\n${call}`)).toMatchObject({
    reasoning: "Six.",
    text: "On it.",
    calls: [roll],
  });
  expect(read("Six.\n[BEGIN FINAL RESPONSE]\nIt is a die.\n[END FINAL RESPONSE]\n<|end|>")).toMatchObject({
    reasoning: "Six.",
    text: "It is a die.",
  });
});

test("text streams until the marker reclassifies it as reasoning", () => {
  const { events } = readAnswer("Six.\n[BEGIN FINAL RESPONSE]\nA die.", { known: apriel, tools: few });
  expect(events).toEqual([
    { type: "text-delta", text: "Six." },
    { type: "text-was-reasoning" },
    { type: "text-delta", text: "A die." },
  ]);
});

test("without the marker the text stays text", () => {
  expect(read(`On it.\n${call}`)).toMatchObject({ text: "On it.", reasoning: "", calls: [roll] });
});

test("N5: in reasoning opened by the prompt, a call runs only if the reasoning never ends", () => {
  expect(read(`Six. ${call} no.\n[BEGIN FINAL RESPONSE]\nNo.`, reasons)).toMatchObject({
    text: "No.",
    calls: [],
  });
  expect(read(`Six.\n${call}`, reasons)).toMatchObject({ reasoning: "Six.", text: "", calls: [roll] });
});

test("the phrase that opens Apriel's reasoning is plain text from any other model", () => {
  const text = "Here are my reasoning steps:\n1. It has six sides.";
  expect(outcome(text, { tools: few })).toMatchObject({ text, reasoning: "" });
  expect(read(`${text}\n[BEGIN FINAL RESPONSE]\nA die.`)).toMatchObject({ text: "A die." });
});

test("the marker in a sentence is text", () => {
  const text = "I write [BEGIN FINAL RESPONSE] before my answer.";
  expect(read(text)).toMatchObject({ text, reasoning: "" });
});
