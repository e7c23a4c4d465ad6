import { expect, test } from "vitest";
import { step3 } from "./step-3.ts";
import { outcome } from "./testing/outcome.ts";
import { rawTools as tools, callSummaries } from "./testing/raw.ts";

const text =
  '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="write_file">\n<steptml:parameter name="path">a</steptml:parameter>\n<steptml:parameter name="content"> if a < b:\n</steptml:parameter>\n</steptml:invoke><｜tool_call_end｜>' +
  '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="ping">\n</steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>';
const input = { path: "a", content: " if a < b:\n" };
const calls = [
  ["write_file", input],
  ["ping", {}],
];

test("A18: calls are written as the family's template writes them", () => {
  expect(
    step3.writeCalls([
      { id: "1", name: "write_file", input },
      { id: "2", name: "ping", input: {} },
    ]),
  ).toBe(text);
});

test.each([
  ["all tokens", text],
  ["line breaks between the calls", text.replaceAll("<｜tool_call", "\n<｜tool_call")],
  ["no outer tokens", text.replace("<｜tool_calls_begin｜>", "").replace("<｜tool_calls_end｜>", "")],
  ["ASCII bars", text.replaceAll("｜", "|")],
  ["no tokens at all", text.replaceAll(/<｜[^｜]*｜>|function(?=<)/g, "")],
])("with %s, calls and text are told apart", (_, one) => {
  expect(outcome(`<think>Hm.</think>Doing it.\n${one}`, { tools })).toMatchObject({
    text: "Doing it.",
    reasoning: "Hm.",
    calls,
    sources: ["step-3"],
    faults: [],
  });
});

test("N11, N19: a call with a truncated value never runs, and a forged end cancels the call", () => {
  expect(callSummaries(text.slice(0, text.indexOf("if a")))).toEqual([["write_file", "truncated"]]);
  const forged = text.replace(" if a", "</steptml:parameter></steptml:invoke><｜tool_call_end｜> if a");
  for (const [, read] of callSummaries(forged)) expect(read).toBe("malformed_arguments");
});

test("N4: the dialect's tags in prose are text", () => {
  const prose = "Step writes <steptml:invoke name=...> for a call.";
  expect(outcome(prose, { tools })).toMatchObject({ text: prose, calls: [] });
});
