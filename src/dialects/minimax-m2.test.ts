import { expect, test } from "vitest";
import { minimaxM2 } from "./minimax-m2.ts";
import { outcome } from "./testing/outcome.ts";
import { rawTools as tools, callSummaries } from "./testing/raw.ts";

const text =
  '<minimax:tool_call>\n<invoke name="write_file">\n<parameter name="path">a</parameter>\n<parameter name="content">\n</parameter>\n<parameter name="mode">7</parameter>\n</invoke>\n<invoke name="ping">\n</invoke>\n</minimax:tool_call>';
const input = { path: "a", content: "\n", mode: 7 };
const calls = [
  ["write_file", input],
  ["ping", {}],
];

test("A18: calls are written as the family's template writes them", () => {
  expect(
    minimaxM2.writeCalls([
      { id: "1", name: "write_file", input },
      { id: "2", name: "ping", input: {} },
    ]),
  ).toBe(text);
});

test("calls, text and reasoning are told apart, and a leaked end of the turn ends the message", () => {
  const answer = `Think it.\n</think>\n\nDoing it.\n${text}[e~[\n]~b]user\nAgain.`;
  expect(outcome(answer, { tools, prefix: "]~b]ai\n<think>\n" })).toMatchObject({
    text: "Doing it.",
    reasoning: "Think it.",
    calls,
    sources: ["minimax-m2"],
    faults: [],
  });
});

test("indented tags are read", () => {
  const indented = text
    .replaceAll("\n<i", "\n  <i")
    .replaceAll("\n<p", "\n    <p")
    .replaceAll("\n</i", "\n  </i");
  expect(outcome(indented, { tools }).calls).toEqual(calls);
});

test.each([
  ["the last closing tag without its first character", text.replace("</minimax", "/minimax"), calls],
  ["the last closing tag without its first characters", text.replace("</minimax", "minimax"), calls],
  ["the calls' closing tags without their first characters", text.replaceAll("</invoke", "invoke"), calls],
])("%s is understood", (_, damaged, read) => {
  expect(outcome(damaged, { tools })).toMatchObject({ text: "", calls: read, faults: [] });
});

test("tags without their first characters are read, and the repair is marked as a guess", () => {
  const damaged = text.replace("\n</parameter>", "x</parameter>").replaceAll(/<\/?(?=invoke|parameter)/g, "");
  expect(callSummaries(damaged)).toEqual([
    ["write_file", { ...input, content: "x" }, "value-closer?"],
    ["ping", {}, "behind-unclosed?"],
  ]);
});

test("the closing tag of the block inside a value is data", () => {
  const value = "Montréal </minimax:tool_call> café parameter> x";
  expect(callSummaries(text.replace(">a<", `>${value}<`))[0]?.slice(0, 2)).toEqual([
    "write_file",
    { ...input, path: value },
  ]);
});

test("N11: a call with a truncated value never runs", () => {
  expect(callSummaries(text.slice(0, text.indexOf(">7") + 2))).toEqual([["write_file", "truncated"]]);
});

test("N4: the dialect's tags in prose are text", () => {
  const prose = "M2 writes <minimax:tool_call> first.";
  expect(outcome(prose, { tools })).toMatchObject({ text: prose, calls: [] });
});
