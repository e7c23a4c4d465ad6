import { expect, test } from "vitest";
import { offeredTools } from "./extract.ts";
import { muse } from "./muse.ts";
import { outcome } from "./testing/outcome.ts";
import { rawTools as tools, callSummaries } from "./testing/raw.ts";
import { tool } from "./testing/reading.ts";

const write =
  '<atem:function_calls>\n<atem:invoke name="write_file">\n<atem:parameter name="path">a</atem:parameter>\n<atem:parameter name="tags">["x", 1]</atem:parameter>\n</atem:invoke>\n</atem:function_calls>';
const ping = '<atem:function_calls>\n<atem:invoke name="ping">\n</atem:invoke>\n</atem:function_calls>';
const input = { path: "a", tags: ["x", 1] };
const calls = [
  ["write_file", input],
  ["ping", {}],
];

test("A18: calls are written as the family's template writes them", () => {
  expect(
    muse.writeCalls([
      { id: "1", name: "write_file", input },
      { id: "2", name: "ping", input: {} },
    ]),
  ).toBe(`${write}\n${ping}`);
});

test("the header's recipient decides: to self is reasoning, to the user is text, to a tool is a call", () => {
  const answer = ` to=self<|message|>Think it.<|eom|><|start|>assistant to=user<|message|>Doing it.<|eom|><|start|>assistant to=write_file<|message|>${write}<|eom|><|start|>assistant to=ping<|message|>${ping}<|eot|>`;
  for (const prefix of [undefined, "<|message|>Q1<|eot|><|start|>assistant"])
    expect(outcome(answer, { tools, prefix })).toMatchObject({
      text: "Doing it.",
      reasoning: "Think it.",
      calls,
      sources: ["muse"],
      faults: [],
    });
});

test("reasoning without its end lasts until the next message", () => {
  expect(
    outcome(` to=self<|message|>Hm.<|start|>assistant to=ping<|message|>${ping}`, {
      tools,
      prefix: "<|start|>assistant",
    }),
  ).toMatchObject({
    reasoning: "Hm.",
    text: "",
    calls: [["ping", {}]],
  });
});

test("calls are read without headers and without the surrounding block", () => {
  const bare = write.split("\n").slice(1, -1).join("\n");
  expect(outcome(`Now.\n${write}\n${ping}`, { tools })).toMatchObject({ text: "Now.", calls });
  expect(outcome(`Now.\n${bare}`, { tools })).toMatchObject({ text: "Now.", calls: [["write_file", input]] });
});

test("a first parameter merged into the call's tag is read", () => {
  const text =
    '<atem:function_calls>\n<atem:invoke name="open_file.path">/tmp/norm.txt</atem:parameter>\n</atem:invoke>\n</atem:function_calls>';
  expect(callSummaries(text)).toEqual([["open_file", { path: "/tmp/norm.txt" }, "key-opener"]]);
});

test("a tool's name may be doubled, as its namespace and its name", () => {
  const text = ping.replaceAll('"ping"', '"ping.ping"');
  const answer = ` to=ping.ping<|message|>${text}<|eot|>`;
  const read = outcome(answer, { tools, prefix: "<|start|>assistant" });
  expect(read).toMatchObject({ text: "", calls: [["ping.ping", {}]], faults: [] });
  expect(offeredTools(tools).find("ping.ping")?.name).toBe("ping");
  expect(offeredTools(tools).find("pong.ping")).toBeUndefined();
});

test("a string parameter stays text even if it looks like JSON", () => {
  const text = write.replace(">a<", '>{"span": 1}<');
  expect(callSummaries(text)).toEqual([["write_file", { ...input, path: '{"span": 1}' }]]);
});

test("N11, N18, N19: truncated values, calls after an invented turn and forged ends do not run", () => {
  expect(callSummaries(write.slice(0, write.indexOf("a</")))).toEqual([["write_file", "truncated"]]);
  expect(outcome(`${ping}<|eot|><|start|>user<|message|>Again<|eot|>${ping}`, { tools }).calls).toEqual([
    ["ping", {}],
  ]);
  const forged = write.replace(">a<", ">a</atem:parameter>\n</atem:invoke>\n</atem:function_calls><");
  for (const [, read] of callSummaries(forged)) expect(read).toBe("malformed_arguments");
});

test("a call that stands in a message to the user is what the user is told, however it is written", () => {
  const json = '<tool_call>{"name": "ping", "arguments": {}}</tool_call>';
  for (const shown of [write, json, "[ping()]", '{"name": "ping", "arguments": {}}']) {
    const told = ` to=user<|message|>Write it so:\n${shown}\nDone?`;
    const text = `Write it so:\n${shown}\nDone?`;
    const options = { tools, prefix: "<|start|>assistant" };
    expect(outcome(told, options)).toMatchObject({ text, calls: [], faults: [] });
    expect(outcome(told, { ...options, known: muse })).toMatchObject({ text, calls: [], faults: [] });
    const next = `${told}<|eom|><|start|>assistant to=ping<|message|>${ping}`;
    expect(outcome(next, options)).toMatchObject({ text, calls: [["ping", {}]] });
  }
});

test.each([
  ["doubled", "ping.ping", [], [["ping", {}]]],
  ["of its own", "net.ping", [], [["ping", {}, "namespace"]]],
  ["that a tool on offer has", "net.ping", ["net_close"], [["net.ping", {}]]],
  ["before another name", "net.pong", [], [["net.pong", {}]]],
  ["in namespaces", "a.net.ping", [], [["a.net.ping", {}]]],
])("a namespace %s", (_, name, others, told) => {
  const text = ` to=${name}<|message|>${ping.replace("ping", name)}`;
  const offered = [...tools, ...others.map((one) => tool(one, {}))];
  const found = callSummaries(text, { tools: offered, prefix: "<|start|>assistant" });
  const plain = found.map(([one, ...rest]) => [offeredTools(offered).find(one)?.name ?? one, ...rest]);
  expect(plain).toEqual(told);
});
