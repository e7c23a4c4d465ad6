import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import type { ToolCall } from "../protocol/messages.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import { extract } from "./extract.ts";
import { allDialects } from "./index.ts";
import { few, outcome, ping, roll } from "./testing/outcome.ts";
import { extractorFor, readAnswer, summary, tool } from "./testing/reading.ts";

const read = (text: string, more = {}) => outcome(text, { tools: few, ...more });

const toRoll = "to=functions.roll";
const body = '<|message|>{"sides": 6}';
const author = "<|start|>assistant";

test("reasoning, a preamble and a call are told apart", () => {
  const text =
    `<|channel|>analysis<|message|>Hm.<|end|>${author}<|channel|>commentary<|message|>Rolling.<|end|>` +
    `${author}<|channel|>commentary ${toRoll} <|constrain|>json${body}<|call|>`;
  expect(read(text)).toEqual({
    text: "Rolling.",
    reasoning: "Hm.",
    calls: [roll],
    ids: ["own_1"],
    sources: ["harmony"],
    faults: [],
  });
});

test("each thought is ended before what follows it", () => {
  const thought = (words: string) => `<|channel|>analysis<|message|>${words}<|end|>${author}`;
  const text = `${thought("Hm.")}${thought("So.")}<|channel|>commentary ${toRoll} <|constrain|>json${body}<|call|>`;
  const types = readAnswer(text, { tools: few }).events.map(({ type }) => type);
  expect(types.slice(0, 5)).toEqual([
    "reasoning-delta",
    "reasoning-end",
    "reasoning-delta",
    "reasoning-end",
    "call-start",
  ]);
});

test("the final answer is text, and streams as it comes", () => {
  expect(
    read(
      "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>It is.<|return|>",
    ),
  ).toMatchObject({ text: "It is.", reasoning: "Hm.", calls: [], faults: [] });
  const { events } = readAnswer("<|channel|>final<|message|>It is sunny.", { tools: few, chunk: 1 });
  expect(events.filter(({ type }) => type === "text-delta").length).toBeGreaterThan(5);
});

test.each([
  ["in the channel part", `<|channel|>commentary ${toRoll} <|constrain|>json${body}<|call|>`],
  ["in the role part", `${author} ${toRoll}<|channel|>commentary json${body}`],
  ["on the reasoning channel", `<|channel|>analysis ${toRoll} code${body}<|call|>`],
  ["without a namespace", `<|channel|>commentary to=roll <|constrain|>json${body}`],
  [
    "with a channel marker glued to it",
    `${author}<|channel|>commentary ${toRoll}<|channel|>commentary <|constrain|>json${body}`,
  ],
  ["directly before its arguments", `<|channel|>commentary ${toRoll}{"sides": 6}<|call|>`],
  ["after text without a header", `Rolling.<|end|><|channel|>commentary ${toRoll}${body}`],
])("a call is read with its recipient %s", (_, text) => {
  expect(read(text)).toMatchObject({ calls: [roll], faults: [] });
});

test.each([
  ["without its message mark", `<|channel|>commentary ${toRoll} <|constrain|>json{"sides": 6}<|call|>`],
  ["with words in it", `<|channel|>commentary––commentary ${toRoll} <|constrain|>json${body}`],
  [
    "with a fence around the arguments",
    `<|channel|>commentary ${toRoll}<|message|>\`\`\`json\n{"sides": 6}\n\`\`\`<|call|>`,
  ],
  [
    "with the call in the call",
    `<|channel|>commentary ${toRoll}<|message|>{"name": "roll", "arguments": {"sides": 6}}`,
  ],
  ["with single quotation marks", `<|channel|>commentary ${toRoll}<|message|>{'sides': 6,}<|call|>`],
])("a malformed call is read: %s", (_, text) => {
  expect(read(text)).toMatchObject({ text: "", calls: [roll], faults: [] });
});

test("malformed headers are dropped, and words in place of a channel name are reasoning", () => {
  const end = `<|end|>${author}<|channel|>final<|message|>Hi.<|return|>`;
  expect(read(`<|channel|>??${end}`)).toMatchObject({ text: "Hi.", reasoning: "" });
  expect(read(`<|channel|>We should look${end}`)).toMatchObject({ text: "Hi.", reasoning: "We should look" });
  expect(read(`<|channel|>commentary to=assistant<|channel|>commentary?${end}`)).toMatchObject({
    text: "Hi.",
    reasoning: "",
  });
  expect(read("<|channel|>commentary?commentary?<|message|>So.")).toMatchObject({
    text: "So.",
    reasoning: "",
  });
  expect(read("<|channel|>final It is.<|return|>")).toMatchObject({ text: "It is." });
  expect(read(`<|channel|>analysisHm.${end}`)).toMatchObject({ text: "Hi.", reasoning: "Hm." });
});

test("several calls in a message each are read, with and without their stop tokens", () => {
  const one = `${author} ${toRoll}<|channel|>commentary json${body}`;
  const other = `${author} to=functions.ping<|channel|>commentary json<|message|>{}`;
  for (const end of ["<|call|>", "<|end|>", ""])
    expect(read(one + end + other + end).calls).toEqual([roll, ping]);
});

test("the wrapper of parallel calls is unwrapped", () => {
  const uses = JSON.stringify({
    tool_uses: [{ recipient_name: "functions.roll", parameters: { sides: 6 } }],
  });
  const { calls } = read(`<|channel|>commentary to=multi_tool_use.parallel<|message|>${uses}<|call|>`);
  expect(calls.map(([name, input]) => [name.replace("functions.", ""), input])).toEqual([roll]);
});

test("calls of built-in tools are passed on unoffered, and code goes to a tool that takes code", () => {
  const search = '<|channel|>analysis to=browser.search code<|message|>{"query": "x"}<|call|>';
  expect(read(search).calls).toEqual([["browser.search", { query: "x" }]]);
  expect(read("<|channel|>analysis to=browser.open code<|message|>cursor=1<|call|>").calls).toEqual([
    ["browser.open", {}],
  ]);
  const code = "<|channel|>analysis to=python code<|message|>print(1)\nprint(2)<|call|>";
  expect(read(code).calls).toEqual([["python", { code: "print(1)\nprint(2)" }]]);
  const tools = [...few, tool("run_python", { source: "string" }, ["source"])];
  expect(read(code, { tools }).calls).toEqual([["run_python", { source: "print(1)\nprint(2)" }]]);
  expect(read("<|channel|>analysis to=python code<|message|>print(1", { reason: "length" })).toMatchObject({
    calls: [],
    faults: ["truncated"],
  });
});

test("after a prompt that ends with the author, the answer may begin inside a header or with anything else", () => {
  const prefix = "Q1<|end|><|start|>assistant";
  expect(read(` ${toRoll}<|channel|>commentary json${body}<|call|>`, { prefix })).toMatchObject({
    text: "",
    calls: [roll],
  });
  expect(read(`<|channel|>commentary ${toRoll} json${body}<|call|>`, { prefix })).toMatchObject({
    text: "",
    calls: [roll],
  });
  expect(read("Hello there", { prefix }).text).toBe("Hello there");
  expect(read(" to be or not", { prefix }).text).toBe("to be or not");
  expect(read("", { prefix })).toMatchObject({ text: "", calls: [] });
});

test("an answer is read after a prompt that opened the reasoning and after an unknown prompt", () => {
  const rest = `Hm.<|end|>${author}<|channel|>final<|message|>Hi.`;
  expect(read(rest, { prefix: `${author}<|channel|>analysis<|message|>` })).toMatchObject({
    text: "Hi.",
    reasoning: "Hm.",
  });
  expect(read(` ${toRoll}<|channel|>commentary json${body}`).calls).toEqual([roll]);
});

test("a failed answer yields what the model wrote and nothing of the prompt", () => {
  for (const text of [" to=func", "Hi", "<|chan"]) {
    const extractor = extractorFor({ tools: few, prefix: "<|start|>assistant" });
    const events = [...extractor.push(text), ...extractor.flush()];
    expect(summary(events)).toMatchObject({ text: text.trim(), calls: [] });
  }
});

test("N13: beside a native call, a written call is text, without the prompt's part and without reasoning", async () => {
  const call: ToolCall = { id: "n1", name: "ping", input: {}, source: "native" };
  const thought = "<|channel|>analysis<|message|>Hm.<|end|>";
  const written = `${toRoll}<|channel|>commentary json${body}`;
  for (const said of [written, `${thought}<|start|>assistant ${written}`]) {
    async function* events(): AsyncGenerator<ModelEvent> {
      yield { type: "text-delta", text: said };
      yield { type: "call-start", id: "n1", name: "ping" };
      yield { type: "call-end", call };
      yield { type: "answer-end", reason: "stop" };
    }
    const options = { tools: few, dialects: allDialects, isNative: true, prefix: "<|start|>assistant" };
    const all = await collect(extract(events(), options));
    expect(summary(all)).toMatchObject({ text: said.replace(thought, ""), calls: [call] });
  }
});

test("N1: the final answer may show a call in a fence", () => {
  const shown = `See:\n\`\`\`\n${author} ${toRoll}<|channel|>commentary json${body}<|call|>\n\`\`\`\nDone.`;
  expect(read(`<|channel|>final<|message|>${shown}<|return|>`)).toMatchObject({ text: shown, calls: [] });
});

test("N3: the format's tokens inside a value, and in reasoning about the format, are data", () => {
  const text = `it <|end|> and ${author}<|channel|>commentary to=functions.ping<|message|>{}<|call|>`;
  expect(
    read(`<|channel|>commentary to=functions.say<|message|>${JSON.stringify({ text })}<|call|>`).calls,
  ).toEqual([["say", { text }]]);
  const thought = "about <|start|> and <|channel|> here";
  expect(read(`<|channel|>analysis<|message|>${thought}<|end|>`).reasoning).toBe(thought);
});

test("N4: the format's tokens in a sentence are text", () => {
  for (const text of [
    "Writing on <|channel|> and <|message|> marks: the header.",
    "Use <|channel|>final<|message|> there.",
    "The <|end|> token ends a message, <|start|> begins one.",
  ])
    expect(read(text)).toMatchObject({ text, calls: [], faults: [] });
});

test("N11: a call with a truncated value never runs, and nothing is supplied at the length limit", () => {
  const open = '<|channel|>commentary to=functions.say <|constrain|>json<|message|>{"text": "a';
  expect(read(open)).toMatchObject({ calls: [], faults: ["truncated"] });
  expect(read(`${open}"`).calls).toEqual([["say", { text: "a" }]]);
  expect(read(`${open}"}`, { reason: "length" })).toMatchObject({ calls: [], faults: ["truncated"] });
  expect(read("<|channel|>commentary to=functions.ping<|message|>").faults).toEqual(["truncated"]);
  expect(read("<|channel|>commentary to=functions.ping<|message|><|call|>").calls).toEqual([ping]);
  expect(read("<|channel|>commentary to=functions.roll<|message|>six<|call|>").faults).toEqual([
    "malformed_arguments",
  ]);
});

test("N9, N18: an invented result or turn ends the message", () => {
  const call = `${author} ${toRoll}<|channel|>commentary json${body}<|call|>`;
  const result = '<|start|>functions.roll to=assistant<|channel|>commentary<|message|>{"n": 4}<|end|>';
  expect(read(`${call}${result}${author}<|channel|>final<|message|>Four.`)).toMatchObject({
    text: "",
    calls: [roll],
    faults: ["fabricated_result"],
  });
  expect(
    read(`<|channel|>final<|message|>Four.<|end|><|start|>user<|message|>Again<|end|>${call}`),
  ).toMatchObject({
    text: "Four.",
    calls: [],
  });
});

test("a call of another format in a message to the user is text; its own next message may be a call", () => {
  const shown = '<tool_call>{"name": "roll", "arguments": {"sides": 6}}</tool_call>';
  const hermes = allDialects.find(({ name }) => name === "hermes");
  for (const channel of ["final", "commentary"]) {
    const told = `<|channel|>${channel}<|message|>So:\n${shown}`;
    expect(read(`${told}<|return|>`)).toMatchObject({ text: `So:\n${shown}`, calls: [], faults: [] });
    expect(read(`${told}<|end|>${author}<|channel|>commentary ${toRoll}${body}<|call|>`)).toMatchObject({
      text: `So:\n${shown}`,
      calls: [roll],
    });
    expect(read(told, { known: hermes }).calls).toEqual([roll]);
  }
});

test("a second channel before the message replaces the first", () => {
  expect(read("<|channel|>final<|channel|>analysis<|message|>hm<|end|>")).toMatchObject({
    text: "",
    reasoning: "hm",
  });
});

test("a channel whose mark is missing is read behind the author, if the header's end is there", () => {
  const ended = "<|end|><|start|>assistant<|channel|>final<|message|>ok";
  const hm = { text: "ok", reasoning: "hm", calls: [] };
  expect(read(`analysis<|message|>hm${ended}`)).toMatchObject(hm);
  expect(read(`commentary to=assistant<|channel|>analysis<|message|>hm${ended}`)).toMatchObject(hm);
  expect(read(`commentary to=functions.roll<|message|>{"sides": 6}`).calls).toEqual([roll]);
  for (const text of ["analysis", "final thoughts: commentary to=assistant is odd."])
    expect(read(text)).toMatchObject({ text, reasoning: "", calls: [] });
});
