import { expect, test } from "vitest";
import { lmstudio } from "./json-in-marks.ts";
import { few, outcome, ping, pingJson, roll, rollJson } from "./testing/outcome.ts";

const read = (text: string) => outcome(text, { tools: few });
const block = (body: string): string => `[TOOL_REQUEST]${body}[END_TOOL_REQUEST]`;

test("a call is one JSON object between the markers, and several calls are several blocks", () => {
  expect(lmstudio.writeCalls([{ id: "1", name: "roll", input: { sides: 6 } }])).toBe(block(rollJson));
  expect(read(`On it.\n${block(rollJson)}\n${block(`\n${pingJson}\n`)}`)).toMatchObject({
    text: "On it.",
    calls: [roll, ping],
  });
});

test("marks inside strings are data", () => {
  const text = block('{"name": "say", "arguments": {"text": "[END_TOOL_REQUEST] [TOOL_REQUEST]{}"}}');
  expect(read(text).calls).toEqual([["say", { text: "[END_TOOL_REQUEST] [TOOL_REQUEST]{}" }]]);
});

test("a missing or doubled marker is tolerated, a truncated call is refused", () => {
  expect(read(`[TOOL_REQUEST]${rollJson}`).calls).toEqual([roll]);
  expect(read(`${block(rollJson)}[END_TOOL_REQUEST]\nI wait.`)).toMatchObject({
    text: "I wait.",
    calls: [roll],
  });
  expect(read(`[TOOL_REQUEST]${rollJson}\n[TOOL_REQUEST]${pingJson}[END_TOOL_REQUEST]`).calls).toEqual([
    roll,
    ping,
  ]);
  expect(read('[TOOL_REQUEST]{"name": "roll", "arguments": {"sides"').faults).toEqual(["truncated"]);
});

test.each([
  "[TOOL_REQUEST] opens it and [END_TOOL_REQUEST] ends it.",
  "[TOOL_REQUEST",
  "Write [TOOL_REQUEST]{…} then.",
])("N4: %s is text", (text) => {
  expect(read(text)).toMatchObject({ text, calls: [] });
});

test("N9: a result that the model writes itself ends the message", () => {
  expect(read(`${block(rollJson)}\n[TOOL_RESULT]4[END_TOOL_RESULT]\nFour.`)).toMatchObject({
    text: "",
    calls: [roll],
    faults: ["fabricated_result"],
  });
});
