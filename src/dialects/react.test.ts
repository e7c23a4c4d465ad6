import { expect, test } from "vitest";
import { react } from "./react.ts";
import { few, outcome, ping, roll } from "./testing/outcome.ts";
import { extractorFor, readAnswer, tool } from "./testing/reading.ts";

const write = tool("write_file", { path: "string", content: "string" }, ["path", "content"]);
const tools = [...few, write];
const read = (text: string) => outcome(text, { tools, known: react });
const rollText = 'Action: roll\nAction Input: {"sides": 6}';

test("a thought is reasoning, an action is a call, and the final answer is text", () => {
  expect(read(`Thought: I need\na number.\n${rollText}\n`)).toEqual({
    text: "",
    reasoning: "I need\na number.",
    calls: [roll],
    ids: ["own_1"],
    sources: ["react"],
    faults: [],
  });
  expect(read("Thought: done\nFinal Answer: Nine.\n\nIt was nine.")).toMatchObject({
    text: "Nine.\n\nIt was nine.",
    reasoning: "done",
    calls: [],
  });
  expect(read('**Thought:** hm\n**Action:** roll\n**Action Input**: {"sides": 6}')).toMatchObject({
    text: "",
    reasoning: "hm",
    calls: [roll],
  });
  expect(read("Nothing to do.")).toMatchObject({ text: "Nothing to do.", calls: [] });
});

test("calls and results are written in the ReAct format", () => {
  expect(react.writeCalls([{ id: "1", name: "roll", input: { sides: 6 } }])).toBe(
    'Action: roll\nAction Input: {"sides":6}',
  );
  const result = (text: string, isError: boolean) => ({
    id: "1",
    name: "roll",
    content: [{ type: "text" as const, text }],
    isError,
  });
  expect(react.writeResults([result("4", false)])).toBe("Observation: 4");
  expect(react.writeResults([result("4", false), result("no dice", true)])).toBe(
    "Observation (roll): 4\nObservation (roll): Error: no dice",
  );
});

test.each([
  "`roll`",
  "[roll]",
  "**roll**",
  '"roll"',
  "roll()",
  "Roll.",
  "functions.roll",
  "the roll tool",
  "Use the `roll` function.",
  "\nroll",
])("the name may be decorated: Action: %s", (name) => {
  expect(read(`Action: ${name}\nAction Input: {"sides": 6}`)).toMatchObject({
    text: "",
    calls: [roll],
    faults: [],
  });
});

test.each([
  ["on the next line", 'roll\nAction Input:\n{"sides": 6}'],
  ["in a fence", 'roll\nAction Input:\n```json\n{"sides": 6}\n```'],
  ["in a fence without a language", 'roll\nAction Input: ```\n{"sides": 6}\n```\n'],
  ["beside the name", 'roll {"sides": 6}'],
  ["in parentheses", 'roll({"sides": 6})'],
  ["in brackets", "roll[6]"],
  ["on the same line", 'roll Action Input: {"sides": 6}'],
  ["as Python writes it", "roll\nAction Input: {'sides': 6,}"],
  ["as a plain number", "roll\nAction Input: 6"],
  ["with another label", 'roll\nInput: {"sides": 6}'],
  ["before a leaked stop token", 'roll\nAction Input: {"sides": 6}<|im_end|>'],
])("the input is read %s", (_, action) => {
  expect(read(`Action: ${action}`)).toMatchObject({ text: "", calls: [roll], faults: [] });
});

test("plain text becomes the value of the only parameter that it can be meant for", () => {
  for (const input of ["So What", '"So What"', "```\nSo What\n```"]) {
    const { calls } = readAnswer(`Action: say\nAction Input: ${input}\nObservation: played`, {
      tools,
      known: react,
    });
    expect(calls).toMatchObject([
      { name: "say", input: { text: "So What" }, repairs: [{ code: "plain-input" }] },
    ]);
  }
  const [long] = readAnswer("Action: say\nAction Input: one\ntwo", { tools, known: react }).calls;
  expect(long).toMatchObject({ input: { text: "one\ntwo" }, repairs: [{ guess: true }] });
  expect(read("Action: write_file\nAction Input: some text")).toMatchObject({
    calls: [],
    faults: ["malformed_arguments"],
  });
});

test.each([
  "Action: ping",
  "Action: ping\nAction Input: None",
  "Action: ping\nAction Input:\n",
  "Action: ping\nAction Input: {}",
])("a tool without required parameters needs no input: %j", (text) => {
  expect(read(text)).toMatchObject({ text: "", calls: [ping], faults: [] });
});

test("N9: an invented observation ends the message; an empty one, cut off by the server, is dropped", () => {
  const text = `${rollText}\nObservation: 4\nThought: Four!\nFinal Answer: Four.`;
  expect(read(text)).toMatchObject({ text: "", reasoning: "", calls: [roll], faults: ["fabricated_result"] });
  expect(read(`Action: ping\nAction Input:\nObservation: pong`)).toMatchObject({
    calls: [ping],
    faults: ["fabricated_result"],
  });
  expect(read(`${rollText}\nObservation:\n`)).toMatchObject({ text: "", calls: [roll], faults: [] });
  expect(read("Observation: It was 4.\nFinal Answer: Four.")).toMatchObject({
    text: "Four.",
    reasoning: "It was 4.",
    faults: [],
  });
});

test("a second action is a call unless an observation precedes it", () => {
  expect(read(`${rollText}\n\nThought: and\nAction: ping\nAction Input: {}`)).toMatchObject({
    reasoning: "and",
    calls: [roll, ping],
    faults: [],
  });
  expect(read(`${rollText}\nObservation: 4\nAction: ping\nAction Input: {}`)).toMatchObject({
    calls: [roll],
  });
});

test("labels inside an input are data", () => {
  const content = "Action: ping\nObservation: none\n";
  expect(
    read(react.writeCalls([{ id: "1", name: "write_file", input: { path: "a", content } }])).calls,
  ).toEqual([["write_file", { path: "a", content }]]);
  expect(
    read(`Action: write_file\nAction Input: {"path": "a", "content": "x\nObservation: y"}`).calls,
  ).toEqual([["write_file", { path: "a", content: "x\nObservation: y" }]]);
});

test.each([
  ["N6: an action that names no tool", 'Action: dice\nAction Input: {"sides": 6}'],
  ["prose after the label", "Action: we should roll.\nThen wait."],
  ["a label in a sentence", "The line Action: roll opens it."],
  ["N1: a fence", `So:\n\`\`\`\n${rollText}\n\`\`\`\nThat is it.`],
  ["N10: a quotation", `> ${rollText.replaceAll("\n", "\n> ")}`],
])("%s is text", (_, text) => {
  expect(read(text)).toMatchObject({ text, calls: [], faults: [] });
});

test("N15: from a model not taught ReAct, everything is text", () => {
  const text = `Thought: hm\n${rollText}`;
  expect(outcome(text, { tools })).toMatchObject({ text, reasoning: "", calls: [] });
});

test.each([
  "Action: ping",
  "Action: roll\nAction In",
  'Action: roll\nAction Input: {"sides": 6',
  "Action: say\nAction Input: So Wh",
  "Action: say\nAction Input: ```\nSo",
])("N11: a truncated action never runs: %j", (text) => {
  expect(outcome(text, { tools, known: react, reason: "length" })).toMatchObject({
    text: "",
    calls: [],
    faults: ["truncated"],
  });
});

test("reasoning and the final answer stream as they arrive", () => {
  const extractor = extractorFor({ tools, known: react });
  expect(extractor.push("Thought: I need a").map(({ type }) => type)).toEqual(["reasoning-delta"]);
  expect(extractor.push("\nFinal Answer: It is n").map(({ type }) => type)).toEqual([
    "reasoning-end",
    "text-delta",
  ]);
});
