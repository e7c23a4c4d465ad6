import { expect, test } from "vitest";
import { minicpm } from "./minicpm.ts";
import { outcome } from "./testing/outcome.ts";
import { rawTools as tools, callSummaries } from "./testing/raw.ts";

const text = `<function name="write_file"><param name="path">a</param><param name="content"><![CDATA[if (a < b) {\n}]]></param><param name="force">True</param><param name="tags">['x', "it's"]</param></function>\n<function name="ping"></function>`;
const input = { path: "a", content: "if (a < b) {\n}", force: true, tags: ["x", "it's"] };
const calls = [
  ["write_file", input],
  ["ping", {}],
];

test("A18: calls are written as the family's template writes them", () => {
  expect(
    minicpm.writeCalls([
      { id: "1", name: "write_file", input },
      { id: "2", name: "ping", input: {} },
    ]),
  ).toBe(text);
});

test("calls, text and reasoning are told apart", () => {
  const prefix = "<|im_start|>assistant\n<think>\n";
  expect(outcome(`Think it.\n</think>\n\nDoing it.\n${text}<|im_end|>`, { tools, prefix })).toMatchObject({
    text: "Doing it.",
    reasoning: "Think it.",
    calls,
    faults: [],
  });
});

test("a CDATA section ends only at its own end, and only where the call continues or ends", () => {
  for (const content of [
    '</param></function> <function name="ping">',
    "]]> x",
    "<![CDATA[x]]>y",
    "]]></param>x",
  ]) {
    const one = minicpm.writeCalls([
      { id: "1", name: "write_file", input: { path: "a", content: `<${content}` } },
    ]);
    expect(callSummaries(one)[0]?.slice(0, 2)).toEqual(["write_file", { path: "a", content: `<${content}` }]);
  }
  expect(
    callSummaries('<function name="write_file"><param name="path"><![CDATA[a</param></function>'),
  ).toEqual([["write_file", "truncated"]]);
});

test("missing closing tags are supplied, and the repair is marked as a guess", () => {
  const open =
    '<function name="write_file">\n<param name="path">a\n<param name="content">b</param>\n</function>';
  expect(callSummaries(open)).toEqual([["write_file", { path: "a\n", content: "b" }, "value-closer?"]]);
  expect(callSummaries('<function name="open_file"><param name="path">a</param>')).toEqual([
    ["open_file", { path: "a" }, "closers?"],
  ]);
});

test("a call without arguments, which other dialects share, does not hide the calls after it", () => {
  const turned = text.split("\n<function name").toReversed().join("\n").replace(/^=/, "<function name=");
  expect(outcome(turned, { tools }).calls).toEqual(calls.toReversed());
  expect(outcome(turned, { tools, known: minicpm }).calls).toEqual(calls.toReversed());
});

test("N6: tags with a name that no tool has are text unless the dialect is known", () => {
  const html = '<function name="main"><param name="argc">int</param></function>';
  expect(outcome(html, { tools })).toMatchObject({ text: html, calls: [] });
  expect(callSummaries(html, { known: minicpm })).toEqual([["main", { argc: "int" }]]);
});

test("N19: a forged end cancels the call", () => {
  const forged = '<function name="write_file"><param name="path">a</param></function>\nx</param></function>';
  expect(callSummaries(forged)).toEqual([["write_file", "malformed_arguments"]]);
});

test("the blank that a detokeniser lost in the tags is no part of the format", () => {
  const text =
    '<functionname="write_file"><paramname="path">a</param><param name="mode">3</param></function>';
  expect(callSummaries(text)).toEqual([["write_file", { path: "a", mode: 3 }]]);
});
