import { expect, test } from "vitest";
import { hunyuan3 } from "./pairs-in-tags.ts";
import { outcome } from "./testing/outcome.ts";
import { rawTools as tools, callSummaries } from "./testing/raw.ts";

const text =
  "<tool_calls:opensource>\n<tool_call:opensource>write_file<tool_sep:opensource>\n" +
  "<arg_key:opensource>path</arg_key:opensource>\n<arg_value:opensource>a</arg_value:opensource>\n" +
  "<arg_key:opensource>mode</arg_key:opensource>\n<arg_value:opensource>7</arg_value:opensource>\n" +
  "</tool_call:opensource>\n<tool_call:opensource>ping<tool_sep:opensource>\n</tool_call:opensource>\n</tool_calls:opensource>";
const input = { path: "a", mode: 7 };
const calls = [
  ["write_file", input],
  ["ping", {}],
];

test("A18: calls are written as the family's template writes them", () => {
  expect(
    hunyuan3.writeCalls([
      { id: "1", name: "write_file", input },
      { id: "2", name: "ping", input: {} },
    ]),
  ).toBe(text);
});

test("calls, text and reasoning are told apart", () => {
  const answer = `Think it.</think:opensource>Doing it.${text}<｜hy_eos:opensource｜>`;
  const prefix = "<｜hy_Assistant:opensource｜><think:opensource>";
  expect(outcome(answer, { tools, prefix })).toMatchObject({
    text: "Doing it.",
    reasoning: "Think it.",
    calls,
    sources: ["hunyuan-3"],
    faults: [],
  });
});

test("calls are read without the suffix, without the surrounding tags and without the separator", () => {
  const inner = text.replace("<tool_calls:opensource>\n", "").replace("\n</tool_calls:opensource>", "");
  for (const one of [
    text,
    inner,
    text.replaceAll("<tool_sep:opensource>", ""),
    text.replaceAll(":opensource", ""),
  ])
    expect(outcome(one, { tools }).calls).toEqual(calls);
});

test("tags with another suffix in a value are data, and an unclosed value of one line ends at the next parameter", () => {
  const tricky = text.replace(">a<", "></arg_value> x<");
  expect(callSummaries(tricky)[0]).toEqual(["write_file", { path: "</arg_value> x", mode: 7 }]);
  expect(callSummaries(text.replace(">a</arg_value:opensource>", ">a"))[0]).toEqual([
    "write_file",
    { path: "a", mode: 7 },
    "value-closer?",
  ]);
  expect(callSummaries(text.replace(">a</arg_value:opensource>", ">a\nb"))[0]?.[1]).toBe(
    "malformed_arguments",
  );
  expect(callSummaries(text.slice(0, text.indexOf("7") + 1))).toEqual([["write_file", "truncated"]]);
});
