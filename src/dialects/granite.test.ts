import { expect, test } from "vitest";
import { granite } from "./granite.ts";
import { graniteFunction } from "./json-in-marks.ts";
import { few, outcome, ping, pingJson, roll, rollJson } from "./testing/outcome.ts";
import { tool } from "./testing/reading.ts";

const read = (text: string, known?: typeof granite) => outcome(text, { tools: few, known });

test("a list after the marker ends with its own bracket, and what follows is text", () => {
  expect(granite.writeCalls([{ id: "1", name: "roll", input: { sides: 6 } }])).toBe(
    `<|tool_call|>[${rollJson}]`,
  );
  expect(read(`<|tool_call|>[${rollJson}, ${pingJson}]\nI wait.`)).toMatchObject({
    text: "I wait.",
    calls: [roll, ping],
  });
  expect(
    read(`Ok.<|tool_call|>[${rollJson}]<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>Hi`),
  ).toMatchObject({
    text: "Ok.",
    calls: [roll],
  });
});

test("a list after an unclosed tag, as Granite 3.1 writes it, is read", () => {
  expect(read(`<tool_call>[${rollJson}, ${pingJson}]`).calls).toEqual([roll, ping]);
  expect(read(`<tool_call>[${rollJson}]\nI wait.`, granite)).toMatchObject({
    text: "I wait.",
    calls: [roll],
    sources: ["granite"],
  });
  expect(read(`<tool_call>\n${rollJson}\n</tool_call>`, granite)).toMatchObject({
    calls: [roll],
    sources: ["hermes"],
  });
});

test("brackets and quotation marks inside strings do not end the list, escaped or not", () => {
  expect(read('<|tool_call|>[{"name": "say", "arguments": {"text": "a]}\\"]"}}]').calls).toEqual([
    ["say", { text: 'a]}"]' }],
  ]);
  expect(read('<|tool_call|>[{"name": "say", "arguments": {"text": "a "b" ]c"}}]').calls).toEqual([
    ["say", { text: 'a "b" ]c' }],
  ]);
});

test("a foreign closing tag, a doubled marker, a fence and a single object are tolerated", () => {
  const [mark, tag] = ["<|tool_call|>", "<tool_call>"];
  for (const text of [
    `[${rollJson}]</tool_call>`,
    `${mark}[${rollJson}]`,
    `\`\`\`json\n[${rollJson}]\n\`\`\``,
    rollJson,
  ])
    expect(read(mark + text)).toMatchObject({ text: "", calls: [roll] });
  expect(read(`${tag}[${rollJson}]</tool_call>`, granite)).toMatchObject({ text: "", calls: [roll] });
});

test("N11: an unclosed list runs only if all its calls are whole and the length limit was not hit", () => {
  expect(read(`<|tool_call|>[${rollJson}`).calls).toEqual([roll]);
  expect(read(`<|tool_call|>[${rollJson}, {"name": "say", "arguments": {"text": "cut he`)).toMatchObject({
    calls: [],
    faults: ["truncated"],
  });
  expect(outcome(`<|tool_call|>[${rollJson}`, { tools: few, reason: "length" })).toMatchObject({
    calls: [],
    faults: ["truncated"],
  });
});

test("the reasoning of a known Granite and the markers around its response are no text", () => {
  const words = "Here is my thought process:\nSix sides.\n\nHere is my response:\nOn it.";
  expect(read(words, granite)).toMatchObject({ reasoning: "Six sides.", text: "On it." });
  expect(read(words)).toMatchObject({ reasoning: "", text: words });
  expect(read("<think>Six.</think><response>On it.</response>", granite)).toMatchObject({
    reasoning: "Six.",
    text: "On it.",
  });
});

test("N4: the marker in a sentence is text", () => {
  const text = "Granite writes <|tool_call|> first, then a list.";
  expect(read(text, granite)).toMatchObject({ text, calls: [] });
});

test("Granite 20B: the marker precedes and separates the calls", () => {
  expect(graniteFunction.writeCalls([{ id: "1", name: "roll", input: { sides: 6 } }])).toBe(
    `<function_call> ${rollJson}`,
  );
  for (const gap of ["\n", " ", ""])
    expect(read(`<function_call> ${rollJson}${gap}<function_call> ${pingJson}<|endoftext|>`)).toMatchObject({
      text: "",
      calls: [roll, ping],
    });
  expect(read(`Ok.\n<function_call> ${rollJson}\nI wait.`)).toMatchObject({
    text: "Ok.\nI wait.",
    calls: [roll],
  });
});

test("Granite 20B: no_function is no call unless a tool has that name", () => {
  const text = 'None fits.\n<function_call> {"name": "no_function", "arguments": {}}';
  expect(read(text)).toMatchObject({ text: "None fits.", calls: [], faults: [] });
  expect(outcome(text, { tools: [tool("no_function", {})] }).calls).toEqual([["no_function", {}]]);
});

test("Granite 20B: results mark a failed call as an error", () => {
  const results = graniteFunction.writeResults([
    { id: "1", name: "roll", content: [{ type: "text", text: "4" }], isError: false },
    { id: "2", name: "ping", content: [{ type: "text", text: "no answer" }], isError: true },
  ]);
  expect(results).toBe("<function_response> 4\n<function_response> Error: no answer");
  expect(read(`<function_call> ${rollJson}\n<function_response> 4`).faults).toEqual(["fabricated_result"]);
});
