import { expect, test } from "vitest";
import { gigachat35 } from "./gigachat-3.5.ts";
import { gigachat } from "./gigachat.ts";
import { few, outcome, ping, pingJson, roll, rollJson } from "./testing/outcome.ts";

const read = (text: string) => outcome(text, { tools: few });
const turn = (body: string): string => `<|message_sep|>\n\nfunction call<|role_sep|>\n${body}`;

test("version 3.1 writes an object after its marker", () => {
  expect(gigachat.writeCalls([{ id: "1", name: "roll", input: { sides: 6 } }])).toBe(
    `<|function_call|>${rollJson}`,
  );
  expect(read(`On it.<|function_call|>${rollJson}`)).toMatchObject({ text: "On it.", calls: [roll] });
  expect(read(`<|function_call|>${rollJson}<|message_sep|>\n\n`)).toMatchObject({ text: "", calls: [roll] });
  expect(read(`<|function_call|>${rollJson}\n<|function_call|>${pingJson}</s>`)).toMatchObject({
    text: "",
    calls: [roll, ping],
  });
});

test("version 3 writes a call in a turn of its own", () => {
  expect(read(`On it.${turn(rollJson)}<|message_sep|>\n\n`)).toMatchObject({ text: "On it.", calls: [roll] });
  expect(read(`${turn(rollJson)}${turn(pingJson)}`).calls).toEqual([roll, ping]);
  expect(read(`function call<|role_sep|>\n${rollJson}`)).toMatchObject({ text: "", calls: [roll] });
});

test("any other turn ends the message, and an invented result is reported", () => {
  expect(read(`A die.<|message_sep|>\n\nuser<|role_sep|>\nAnd?`)).toMatchObject({
    text: "A die.",
    faults: [],
  });
  expect(read(`${turn(rollJson)}<|message_sep|>\n\nfunction result<|role_sep|>\n{}`)).toMatchObject({
    calls: [roll],
    faults: ["fabricated_result"],
  });
});

test("marks inside strings are data; a truncated call is refused", () => {
  const text =
    '<|function_call|>{"name": "say", "arguments": {"text": "<|message_sep|> } <|function_call|>"}}';
  expect(read(text).calls).toEqual([["say", { text: "<|message_sep|> } <|function_call|>" }]]);
  expect(read('<|function_call|>{"name": "say", "arguments": {"text": "c').faults).toEqual(["truncated"]);
  expect(read('<|function_call|>{"name": "roll", "arguments": {"sides": <|message_sep|>').faults).toEqual([
    "truncated",
  ]);
});

test("N4: the marker in a sentence is text", () => {
  const text = "It writes <|function_call|> and a function call by name.";
  expect(read(text)).toMatchObject({ text, calls: [] });
});

test("version 3.5 writes tags with a token in their names and a flag for string values", () => {
  const tag = (text: string): string => text.replaceAll("#", "\uFF5CGCML\uFF5C");
  const invoke = tag(
    '<#invoke name="say">\n<#parameter name="text" string="true">a "b" </p></#parameter>\n</#invoke>',
  );
  const text = tag(`<#tool_calls>\n${invoke}\n</#tool_calls>`);
  expect(gigachat35.writeCalls([{ id: "1", name: "say", input: { text: 'a "b" </p>' } }])).toBe(text);
  const said = ["say", { text: 'a "b" </p>' }];
  expect(read(`<think>Hm.</think>\n\nOn it.\n\n${text}<|message_sep|>\n\n`)).toMatchObject({
    reasoning: "Hm.",
    text: "On it.",
    calls: [said],
  });
  expect(read(`On it.\n${invoke}`)).toMatchObject({ text: "On it.", calls: [said] });
  expect(
    read(tag('<#tool_calls>\n<#invoke name="say">\n<#parameter name="text" string="true">c')).faults,
  ).toEqual(["truncated"]);
});
