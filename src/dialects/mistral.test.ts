import { expect, test } from "vitest";
import { shortId } from "./json-in-marks.ts";
import { mistral } from "./mistral.ts";
import { few, outcome, ping, pingJson, roll } from "./testing/outcome.ts";
import { tool } from "./testing/reading.ts";

const tools = [...few, tool("write_file", { path: "string", content: "string" }, ["path"])];
const read = (text: string, more = {}) => outcome(text, { tools, ...more });

test("several calls are read after text", () => {
  expect(read('On it.[TOOL_CALLS]ping[ARGS]{}[TOOL_CALLS]roll[ARGS]{"sides": 6}</s>')).toMatchObject({
    text: "On it.",
    calls: [ping, roll],
    sources: ["mistral"],
    faults: [],
  });
});

test("an id in the text is kept", () => {
  expect(read('[TOOL_CALLS]ping[CALL_ID]abcDEF123[ARGS]{}[TOOL_CALLS]roll[ARGS]{"sides": 6}').ids).toEqual([
    "abcDEF123",
    "own_1",
  ]);
});

test("A22: blanks around the marks and typographic quotation marks are understood", () => {
  expect(read("[TOOL_CALLS] roll [ARGS] {“sides”: 6}").calls).toEqual([roll]);
  expect(read("[TOOL_CALLS] say [ARGS] {“text”: “don't {stop}”}").calls).toEqual([
    ["say", { text: "don't {stop}" }],
  ]);
});

test.each([
  ["the mark before the arguments is missing", '[TOOL_CALLS]roll{"sides": 6}'],
  ["the opener is doubled", '[TOOL_CALLS][TOOL_CALLS]roll[ARGS]{"sides": 6}'],
  ["the arguments stand in a fence", '[TOOL_CALLS]roll[ARGS]```json\n{"sides": 6}\n```'],
  ["the arguments are encoded twice", '[TOOL_CALLS]roll[ARGS]"{\\"sides\\": 6}"'],
  ["there is a bracket too many", '[TOOL_CALLS]roll[ARGS]{"sides": 6}}'],
  ["the call is wrapped in itself", '[TOOL_CALLS]roll[ARGS]{"name": "roll", "arguments": {"sides": 6}}'],
  ["there is a closing mark", '[TOOL_CALLS]roll[ARGS]{"sides": 6}[/TOOL_CALLS]'],
])("a call is read even if %s", (_, text) => {
  expect(read(text)).toMatchObject({ text: "", calls: [roll], faults: [] });
});

test("a second call without its opener is a call, and what follows is text", () => {
  expect(read('[TOOL_CALLS]ping[ARGS]{}roll[ARGS]{"sides": 6} Done.')).toMatchObject({
    text: "Done.",
    calls: [ping, roll],
  });
});

test("N3: marks inside a value are data", () => {
  const content = "x [TOOL_CALLS]ping[ARGS]{} </s> [TOOL_RESULTS] y";
  expect(read(mistral.writeCalls([{ id: "1", name: "say", input: { text: content } }]))).toMatchObject({
    calls: [["say", { text: content }]],
    faults: [],
  });
});

test("a value with unescaped quotes does not end at a bracket inside it and never swallows the next call", () => {
  const text = '[TOOL_CALLS]say[ARGS]{"text": "say "hi}" ok"}[TOOL_CALLS]ping[ARGS]{}';
  expect(read(text).calls).toEqual([["say", { text: 'say "hi}" ok' }], ping]);
});

test("N11: a truncated value never runs; brackets missing at the end are supplied except at the length limit", () => {
  expect(read('[TOOL_CALLS]say[ARGS]{"text": "Spa')).toMatchObject({ calls: [], faults: ["truncated"] });
  expect(read('[TOOL_CALLS]roll[ARGS]{"sides": 6')).toMatchObject({ calls: [], faults: ["truncated"] });
  const open = '[TOOL_CALLS]say[ARGS]{"text": "Spain"';
  expect(read(open).calls).toEqual([["say", { text: "Spain" }]]);
  expect(read(open, { reason: "length" })).toMatchObject({ calls: [], faults: ["truncated"] });
});

test("reasoning is separated, and N5: a call in it runs only if the reasoning never closes", () => {
  expect(read("[THINK]Hm [TOOL_CALLS]ping[ARGS]{}[/THINK]No.")).toMatchObject({
    text: "No.",
    reasoning: "Hm [TOOL_CALLS]ping[ARGS]{}",
    calls: [],
  });
  expect(read("[THINK]Hm [TOOL_CALLS]ping[ARGS]{}")).toMatchObject({ reasoning: "Hm", calls: [ping] });
});

test("N4: marks in a sentence are text", () => {
  for (const text of [
    "Every message with [TOOL_CALLS] has [ARGS] after the name.",
    "It writes [TOOL_CALLS]name[ARGS] and the arguments.",
    "The last mark is [TOOL_CALLS]",
    "Use <s>old</s> new text in HTML.",
  ])
    expect(read(text)).toMatchObject({ text, calls: [], faults: [] });
});

test("N9, N18: an invented result and a next turn end the message", () => {
  expect(read('[TOOL_CALLS]ping[ARGS]{}[TOOL_RESULTS]{"content": 1}[/TOOL_RESULTS]Nice')).toMatchObject({
    text: "",
    calls: [ping],
    faults: ["fabricated_result"],
  });
  for (const end of [
    "</s>",
    "</s>\n",
    "</s>[INST]Go[/INST]",
    "</s><s>[INST]Go",
    "[INST]Go[/INST][TOOL_CALLS]ping[ARGS]{}",
  ])
    expect(read(`Done.${end}`)).toMatchObject({ text: "Done.", calls: [] });
});

test("older models' list: ids are kept, blanks and single quotation marks are tolerated", () => {
  expect(
    read('[TOOL_CALLS] [{"name": "roll", "arguments": {"sides": 6}, "id": "Ab3dE9xYz"}]</s>'),
  ).toMatchObject({
    text: "",
    calls: [roll],
    ids: ["Ab3dE9xYz"],
    sources: ["mistral-list"],
  });
  expect(read("[TOOL_CALLS][{'name': 'say', 'arguments': {'text': 'don\\'t'}}]").calls).toEqual([
    ["say", { text: "don't" }],
  ]);
  expect(read(`[TOOL_CALLS]${pingJson}`).calls).toEqual([ping]);
});

test("N11: a truncated list never runs", () => {
  expect(read('[TOOL_CALLS][{"name": "say", "arguments": {"text": "Spa')).toMatchObject({
    calls: [],
    faults: ["truncated"],
  });
  expect(
    read('[TOOL_CALLS][{"name": "say", "arguments": {"text": "a"}}', { reason: "length" }).calls,
  ).toEqual([]);
});

test("ids in history are 9 letters and digits: valid ids stay, others map to the same new id every time", () => {
  expect(shortId("Ab3dE9xYz")).toBe("Ab3dE9xYz");
  const made = ["call_1", "call_2", "", "functions.roll:0", "é".repeat(300)].map(shortId);
  expect(new Set(made).size).toBe(5);
  for (const id of made) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
  expect(shortId("call_1")).toBe(made[0]);
});
