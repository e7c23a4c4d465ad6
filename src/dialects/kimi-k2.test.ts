import { expect, test } from "vitest";
import type { WrittenCall } from "./dialect.ts";
import { kimiK2 } from "./kimi-k2.ts";
import { few, outcome, ping, roll } from "./testing/outcome.ts";

const read = (text: string, more = {}) => outcome(text, { tools: few, ...more });

const section = "<|tool_calls_section_begin|>";
const sectionEnd = "<|tool_calls_section_end|>";
const rollCall =
  '<|tool_call_begin|>functions.roll:4<|tool_call_argument_begin|>{"sides": 6}<|tool_call_end|>';
const pingCall = "<|tool_call_begin|>functions.ping:5<|tool_call_argument_begin|>{}<|tool_call_end|>";

test("several calls keep their ids, which number the calls of the conversation", () => {
  expect(read(`Now.${section}${rollCall}${pingCall}${sectionEnd}<|im_end|>more`)).toEqual({
    text: "Now.",
    reasoning: "",
    calls: [roll, ping],
    ids: ["functions.roll:4", "functions.ping:5"],
    sources: ["kimi-k2"],
    faults: [],
  });
});

test.each([
  ["the section's marks are singular", `<|tool_call_section_begin|>${rollCall}<|tool_call_section_end|>`],
  ["the section's marks are missing", rollCall],
  ["the call's opener is missing", section + rollCall.replace("<|tool_call_begin|>", "") + sectionEnd],
  ["all openers are missing", rollCall.replace("<|tool_call_begin|>", "")],
  [
    "the argument mark is missing",
    section + rollCall.replace("<|tool_call_argument_begin|>", "") + sectionEnd,
  ],
  ["a line break replaces the argument mark", rollCall.replace("<|tool_call_argument_begin|>", "\n")],
  ["the call's end is missing", section + rollCall.replace("<|tool_call_end|>", sectionEnd)],
  ["all ends are missing", section + rollCall.replace("<|tool_call_end|>", "")],
  [
    "there are line breaks everywhere",
    `${section}\n${rollCall.replaceAll("<|tool_call", "\n<|tool_call")}\n${sectionEnd}`,
  ],
])("a call is read even if %s", (_, text) => {
  expect(read(text)).toMatchObject({ text: "", calls: [roll], ids: ["functions.roll:4"], faults: [] });
});

test("a call may lack arguments, and an unclosed call ends where the next one begins", () => {
  expect(read(`${section}<|tool_call_begin|>functions.ping:0<|tool_call_end|>${sectionEnd}`).calls).toEqual([
    ping,
  ]);
  expect(read(section + rollCall.replace("<|tool_call_end|>", "") + pingCall).calls).toEqual([roll, ping]);
});

test("an id without a number is replaced, and one without a namespace is kept", () => {
  expect(read(rollCall.replace("functions.roll:4", "roll"))).toMatchObject({ calls: [roll], ids: ["own_1"] });
  expect(read(rollCall.replace("functions.", ""))).toMatchObject({ calls: [roll], ids: ["roll:4"] });
});

test("Kimi's tokens end reasoning immediately, whether it is closed later or not", () => {
  expect(read(`<think>I roll. ${section}${rollCall}${sectionEnd}`)).toMatchObject({
    reasoning: "I roll.",
    calls: [roll],
  });
  expect(read(`I roll. ${section}${rollCall}${sectionEnd}</think>Now.`, { prefix: "<think>" })).toMatchObject(
    {
      text: "Now.",
      reasoning: "I roll.",
      calls: [roll],
    },
  );
});

test("N3: the format's own tokens inside a value are data", () => {
  const text = `x <|tool_call_end|>${sectionEnd}${pingCall}`;
  expect(read(kimiK2.writeCalls([{ id: "1", name: "say", input: { text } }])).calls).toEqual([
    ["say", { text }],
  ]);
});

test("N11: a call with a truncated value never runs, and nothing is supplied at the length limit", () => {
  const open = `${section}<|tool_call_begin|>functions.say:0<|tool_call_argument_begin|>{"text": "a`;
  expect(read(open)).toMatchObject({ calls: [], faults: ["truncated"] });
  expect(read(`${open}"`).calls).toEqual([["say", { text: "a" }]]);
  expect(read(`${open}"}`, { reason: "length" })).toMatchObject({ calls: [], faults: ["truncated"] });
  expect(read(`${section}<|tool_call_begin|>functions.ping:0<|tool_call_argument_begin|>`).faults).toEqual([
    "truncated",
  ]);
});

test("N4: the format's tokens and ids in a sentence are text", () => {
  for (const text of [
    "Kimi prints <|tool_calls_section_begin|> first, then <|tool_call_begin|> and <|tool_call_argument_begin|>.",
    "It calls functions.roll:4 and so on.",
  ])
    expect(read(text)).toMatchObject({ text, calls: [] });
});

test("N9: a result that the model invents ends the message", () => {
  expect(read(`${section}${rollCall}${sectionEnd}\n## Return of functions.roll:4\n4`)).toMatchObject({
    text: "",
    calls: [roll],
    faults: ["fabricated_result"],
  });
  expect(read("## Return of the king\nA book.").text).toBe("## Return of the king\nA book.");
});

test("history: native ids go back unchanged, others are converted to Kimi's form, in calls and in results", () => {
  const calls: WrittenCall[] = [
    { id: "functions.roll:7", name: "roll", input: { sides: 6 } },
    { id: "call_x", name: "ping", input: {} },
  ];
  expect(read(kimiK2.writeCalls(calls)).ids).toEqual(["functions.roll:7", "functions.ping:1"]);
  const results = calls.map(({ id, name }) => ({
    id,
    name,
    isError: name === "ping",
    content: [{ type: "text" as const, text: "ok" }],
  }));
  expect(kimiK2.writeResults(results)).toBe(
    "## Return of functions.roll:7\nok\n\n## Return of functions.ping:1 (it failed)\nok",
  );
});
