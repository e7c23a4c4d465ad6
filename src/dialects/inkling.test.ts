import { describe, expect, test } from "vitest";
import { inkling } from "./inkling.ts";
import { few as tools, outcome, ping, roll } from "./testing/outcome.ts";

const block = (tool: string, json: string): string =>
  `<|message_model|>${tool}<|content_invoke_tool_json|>${json}<|end_message|>`;
const rollText = block("roll", '{"name":"roll","args":{"sides":6}}');
const pingText = block("ping", '{"name":"ping","args":{}}');

test("A18: calls are written as blocks that begin with the tool's name", () => {
  expect(
    inkling.writeCalls([
      { id: "1", name: "roll", input: { sides: 6 } },
      { id: "2", name: "ping", input: {} },
    ]),
  ).toBe(rollText + pingText);
});

test("an answer's blocks are reasoning, text and calls", () => {
  const answer = `<|content_thinking|>Which?<|end_message|><|message_model|><|content_text|>I roll.<|end_message|>${rollText}${pingText}<|content_model_end_sampling|>`;
  for (const known of [undefined, inkling])
    expect(outcome(answer, { tools, known })).toMatchObject({
      text: "I roll.",
      reasoning: "Which?",
      calls: [roll, ping],
      sources: ["inkling"],
      faults: [],
    });
});

describe("a call is read in other forms too", () => {
  test.each([
    [
      "without the block's own mark",
      '<|content_invoke_tool_json|>{"name":"roll","args":{"sides":6}}<|end_message|>',
    ],
    ["with its keys in the other order", block("roll", '{"args":{"sides":6},"name":"roll"}')],
    ["without a name in the heading", block("", '{"name":"roll","args":{"sides":6}}')],
    [
      "at the end of sampling instead of the block's end",
      rollText.replace("<|end_message|>", "<|content_model_end_sampling|>"),
    ],
  ])("%s", (_, text) => {
    expect(outcome(text, { tools }).calls).toEqual([roll]);
  });
});

test("N4, N9, N11: a mark in a sentence is text, an invented result ends the message, a cut call never runs", () => {
  const sentence = "The mark <|content_invoke_tool_json|> opens a call.";
  expect(outcome(sentence, { tools })).toMatchObject({ text: sentence, calls: [], faults: [] });
  expect(
    outcome(`${pingText}<|message_tool|>ping<|content_text|>ok<|end_message|>${pingText}`, { tools }).calls,
  ).toEqual([ping]);
  expect(outcome(rollText.slice(0, -20), { tools, reason: "length" }).calls).toEqual([]);
});
