import { expect, test } from "vitest";
import { seedOss } from "./seed-oss.ts";
import { outcome } from "./testing/outcome.ts";
import { rawTools as tools, callSummaries } from "./testing/raw.ts";

const call = (name: string, parameters = ""): string =>
  `<seed:tool_call>\n<function=${name}>\n${parameters}</function>\n</seed:tool_call>`;
const given = (key: string, value: string): string => `<parameter=${key}>${value}</parameter>\n`;

test("A18: calls are written as the family's template writes them: strings verbatim, other values as Python", () => {
  const input = {
    path: "a.txt",
    content: "one\n",
    force: true,
    tags: ["it's", 'a "b"', null],
    opt: { k: [1] },
  };
  expect(seedOss.writeCalls([{ id: "1", name: "write_file", input }])).toBe(
    call(
      "write_file",
      `${given("path", "a.txt")}${given("content", "one\n")}${given("force", "True")}${given("tags", `["it's", 'a "b"', None]`)}${given("opt", "{'k': [1]}")}`,
    ),
  );
});

test("calls, text and reasoning are told apart", () => {
  const text = `<seed:think>Think it.</seed:think>\nDoing it.\n\n${call("write_file", given("path", "a") + given("force", "False"))}\n${call("ping")}<seed:eos>`;
  expect(outcome(text, { tools })).toMatchObject({
    text: "Doing it.",
    reasoning: "Think it.",
    calls: [
      ["write_file", { path: "a", force: false }],
      ["ping", {}],
    ],
    sources: ["seed-oss"],
    faults: [],
  });
});

test("only a pair of line breaks around a value is layout", () => {
  for (const [value, read] of [
    ["one\n", "one\n"],
    ["\none", "\none"],
    ["\none\n", "one"],
    ["\n\none\n\n", "\none\n"],
    ["\n", "\n"],
  ] as const)
    expect(callSummaries(call("write_file", given("path", "a") + given("content", value)))).toEqual([
      ["write_file", { path: "a", content: read }],
    ]);
});

test("a string whose line breaks could pass for layout is read back unchanged", () => {
  const input = { path: "a", content: "\none\n" };
  expect(callSummaries(seedOss.writeCalls([{ id: "1", name: "write_file", input }]))).toEqual([
    ["write_file", input],
  ]);
});

test("a leaked end of the turn ends the message, and nothing after it runs", () => {
  const text = `${call("ping")}<seed:eos>\n<seed:bos>user\nAgain.<seed:eos><seed:bos>assistant\n${call("ping")}`;
  expect(outcome(text, { tools })).toMatchObject({ text: "", calls: [["ping", {}]] });
});

test("a lost outer tag and unclosed values are repaired; a truncated value is refused", () => {
  const lost = call("write_file", given("path", "a")).replace("<seed:tool_call>\n", "");
  expect(callSummaries(lost, { known: seedOss })).toEqual([["write_file", { path: "a" }, "opening-tag"]]);
  const open =
    "<seed:tool_call>\n<function=write_file>\n<parameter=path>a\n<parameter=content>b</parameter>\n</function>\n</seed:tool_call>";
  expect(callSummaries(open)).toEqual([["write_file", { path: "a\n", content: "b" }, "value-closer?"]]);
  expect(
    callSummaries(
      "<seed:tool_call>\n<function=write_file>\n<parameter=path>a</parameter>\n<parameter=content>b",
    ),
  ).toEqual([["write_file", "truncated"]]);
});

test("N4: the dialect's tags in prose are text", () => {
  const text = "A <seed:tool_call> holds a <function=name>.";
  expect(outcome(text, { tools })).toMatchObject({ text, calls: [] });
});
