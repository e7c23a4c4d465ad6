import { expect, test } from "vitest";
import { clineXml } from "./cline-xml.ts";
import { outcome } from "./testing/outcome.ts";
import { rawTools as tools, callSummaries } from "./testing/raw.ts";

const known = clineXml;
const text =
  "<write_file>\n<path>a.txt</path>\n<content>\none\n  two\n\n</content>\n<mode>7</mode>\n</write_file>\n<ping>\n</ping>";
const input = { path: "a.txt", content: "one\n  two\n", mode: 7 };
const calls = [
  ["write_file", input],
  ["ping", {}],
];

test("A18: short values are written inline, others on lines of their own", () => {
  const written = clineXml.writeCalls([
    { id: "1", name: "write_file", input },
    { id: "2", name: "ping", input: {} },
  ]);
  expect(written).toBe(text);
  const padded = { path: "a", content: "  one " };
  expect(
    callSummaries(clineXml.writeCalls([{ id: "1", name: "write_file", input: padded }]), { known }),
  ).toEqual([["write_file", padded]]);
});

test("calls from a model taught this dialect are read", () => {
  expect(outcome(`Doing it.\n\n${text}\n`, { tools, known })).toMatchObject({
    text: "Doing it.",
    calls,
    sources: ["cline-xml"],
    faults: [],
  });
});

test("reasoning in <thinking> tags is separated from calls", () => {
  expect(outcome(`<thinking>\nHm.\n</thinking>\n\n${text}`, { tools, known })).toMatchObject({
    reasoning: "Hm.",
    text: "",
    calls,
  });
});

test("N15: from every other model the tags are text", () => {
  expect(outcome(text, { tools })).toMatchObject({ text, calls: [] });
});

test("N6: tags that name no tool, or hold none of its parameters, are text", () => {
  for (const one of [
    "<erase>\n<path>/</path>\n</erase>",
    "<ping> is a tag.",
    "<open_file>\nsome words\n</open_file>",
    "Use <open_file>\n<path>a</path>\n</open_file>",
  ])
    expect(outcome(one, { tools, known })).toMatchObject({ text: one, calls: [] });
});

test("indentation of tags and blanks around short values are layout", () => {
  const indented = "<open_file>\n  <path> src/a b.ts </path>\n</open_file>";
  expect(callSummaries(indented, { known })).toEqual([["open_file", { path: "src/a b.ts" }]]);
});

test("the last closing tag of a parameter counts, so content with the dialect's own tags is data", () => {
  for (const content of [
    "<content>inner</content>",
    "</content>\n<p>more</p>",
    "<mode>dark</mode>\n<path>M0 0</path>",
    "<write_file>\n<path>b</path>\n</write_file>",
    "a <ping>\n</ping> b",
  ]) {
    const one = `<write_file>\n<path>a</path>\n<content>\n${content}\n</content>\n</write_file>`;
    expect(callSummaries(one, { known })[0]?.slice(0, 2)).toEqual(["write_file", { path: "a", content }]);
    expect(callSummaries(`${one}\n${text}`, { known }).map(([name]) => name)).toEqual([
      "write_file",
      "write_file",
      "ping",
    ]);
  }
});

test("N19: a stray closing tag after the call cancels it", () => {
  const forged = "x\n</content>\n</write_file>\ny";
  const one = `<write_file>\n<path>a</path>\n<content>\n${forged}\n</content>\n</write_file>`;
  expect(callSummaries(one, { known })).toEqual([["write_file", "malformed_arguments"]]);
});

test("N9: an invented result and the calls after it do not cancel the calls before it", () => {
  const one = `${text}\n<tool_response name="write_file">\nok\n</tool_response>\n${text}`;
  expect(outcome(one, { tools, known })).toMatchObject({ calls, faults: ["fabricated_result"] });
});

test("N11: a call's missing closing tags are supplied at the end of the answer, a truncated value never", () => {
  expect(callSummaries("<open_file>\n<path>a</path>\n", { known })).toEqual([
    ["open_file", { path: "a" }, "closers?"],
  ]);
  expect(callSummaries("<open_file>\n<path>a</path>\n", { known, reason: "length" })).toEqual([
    ["open_file", "truncated"],
  ]);
  expect(callSummaries("<open_file>\n<path>/srv/old", { known })).toEqual([["open_file", "truncated"]]);
});
