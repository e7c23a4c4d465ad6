import { describe, expect, test } from "vitest";
import { llama3Builtin } from "./llama-3.ts";
import { few, outcome, ping, roll } from "./testing/outcome.ts";
import { tool } from "./testing/reading.ts";

const python = tool("python", { code: "string" }, ["code"]);
const read = (text: string, more = {}) => outcome(text, { tools: few, ...more });

describe("llama-3", () => {
  test("several calls may be separated by semicolons, and the stop token ends the message", () => {
    const text =
      'Now.<|python_tag|>{"name": "ping", "parameters": {}}; {"name": "roll", "parameters": {"sides": 6}}<|eom_id|>more';
    expect(read(text)).toEqual({
      text: "Now.",
      reasoning: "",
      calls: [ping, roll],
      ids: ["own_1", "own_2"],
      sources: ["llama-3"],
      faults: [],
    });
  });

  test.each([
    [
      "separate lines",
      '<|python_tag|>{"name": "ping", "parameters": {}}\n{"name": "roll", "parameters": {"sides": 6}}',
    ],
    [
      "a list",
      '<|python_tag|>[{"name": "ping", "parameters": {}}, {"name": "roll", "parameters": {"sides": 6}}]',
    ],
    [
      "objects with a type",
      '<|python_tag|>{"type": "function", "name": "ping", "parameters": {}}; {"function": "roll", "parameters": {"sides": 6}}',
    ],
  ])("calls are read from %s", (_, text) => {
    expect(read(text).calls).toEqual([ping, roll]);
  });

  test("a schema echoed by a small model is stripped from the values, and strings stay strings", () => {
    const echo = (parameters: object) => `<|python_tag|>${JSON.stringify({ name: "roll", parameters })}`;
    expect(read(echo({ sides: { type: "integer", value: 6 } })).calls).toEqual([roll]);
    expect(read(echo({ type: "object", properties: { sides: 6 } })).calls).toEqual([roll]);
    expect(read(echo({ sides: "6" })).calls).toEqual([["roll", { sides: "6" }]]);
  });

  test("N6: a marked call of a tool that was not offered is passed on", () => {
    expect(read('<|python_tag|>{"name": "nope", "parameters": {}}').calls).toEqual([["nope", {}]]);
  });

  test("N11: a call with a truncated value never runs, and nothing is supplied at the length limit", () => {
    const open = '<|python_tag|>{"name": "say", "parameters": {"text": "a';
    expect(read(open)).toMatchObject({ calls: [], faults: ["truncated"] });
    expect(read(`${open}"`, { reason: "length" })).toMatchObject({ calls: [], faults: ["truncated"] });
    expect(read(`${open}"}}`, { reason: "length" }).calls).toEqual([["say", { text: "a" }]]);
  });

  test("a built-in call behind the tag is a call of a tool on offer, from an untaught model as well", () => {
    expect(read('<|python_tag|>say.call(text="a")')).toMatchObject({
      text: "",
      calls: [["say", { text: "a" }]],
    });
  });

  test("N4, N15: the tag in a sentence is text, and so are other built-in calls and code from an untaught model", () => {
    for (const text of [
      "I use <|python_tag|> for code.",
      '<|python_tag|>shout.call(text="a")',
      "<|python_tag|>print(1)",
    ])
      expect(read(text, { tools: [...few, python] })).toMatchObject({ text, calls: [] });
  });

  test("N18: every token that ends or begins a turn ends the message", () => {
    for (const turn of [
      "<|eot_id|>",
      "<|eom_id|>",
      "<|end_of_text|>",
      "<|start_header_id|>user<|end_header_id|>",
    ])
      expect(read(`Hi.${turn}\n\n<|python_tag|>{"name": "ping", "parameters": {}}`)).toMatchObject({
        text: "Hi.",
        calls: [],
      });
  });
});

describe("llama3-builtin", () => {
  const known = (text: string, more = {}) => read(text, { known: llama3Builtin, ...more });

  test("a built-in call is read, whether its tool was offered or not", () => {
    expect(known('<|python_tag|>brave_search.call(query="jazz in Oslo")')).toMatchObject({
      text: "",
      calls: [["brave_search", { query: "jazz in Oslo" }]],
      sources: ["llama3-builtin"],
    });
    expect(known("<|python_tag|>roll.call(sides=6)<|eom_id|>").calls).toEqual([roll]);
    expect(known("<|python_tag|>ping.call(); roll.call(sides=6)").calls).toEqual([ping, roll]);
    expect(known("<|python_tag|>roll(sides=6)").calls).toEqual([roll]);
  });

  test("N3: the stop token inside a value is data", () => {
    expect(known('<|python_tag|>say.call(text="a <|eom_id|> b")<|eom_id|>').calls).toEqual([
      ["say", { text: "a <|eom_id|> b" }],
    ]);
  });

  test("raw code goes to the tool that takes code, without its fence", () => {
    const tools = [...few, python];
    const code = "import math\nprint(math.pi) # don't";
    expect(known(`<|python_tag|>${code}<|eom_id|>`, { tools }).calls).toEqual([["python", { code }]]);
    expect(known(`<|python_tag|>\`\`\`python\n${code}\n\`\`\``, { tools }).calls).toEqual([
      ["python", { code }],
    ]);
    expect(known(`<|python_tag|>${code}`)).toMatchObject({ text: `<|python_tag|>${code}`, calls: [] });
    expect(known("I use <|python_tag|> for code.", { tools }).calls).toEqual([]);
  });

  test("JSON after the tag is read too", () => {
    expect(known('<|python_tag|>{"name": "ping", "parameters": {}}').calls).toEqual([ping]);
  });

  test("N11: a truncated call never runs", () => {
    expect(known('<|python_tag|>say.call(text="a')).toMatchObject({ calls: [], faults: ["truncated"] });
    expect(known("<|python_tag|>print(1", { tools: [...few, python], reason: "length" })).toMatchObject({
      calls: [],
      faults: ["truncated"],
    });
  });
});

describe("llama-function-tag", () => {
  test("several tags in a row are read, with text before them", () => {
    expect(
      read('Ok.<function=roll>{"sides": 6}</function><function=ping>{}</function><|eot_id|>'),
    ).toMatchObject({
      text: "Ok.",
      calls: [roll, ping],
      sources: ["llama-function-tag"],
      faults: [],
    });
  });

  test.each([
    '<function=roll>\n{"sides": 6}\n</function>',
    '<function=roll{"sides": 6}></function>',
    '<function=roll({"sides": 6})</function>',
    '<function=roll,{"sides": 6}</function>',
    '<function=roll[]{"sides": 6}</function>',
    '<function="roll">{"sides": 6}</function>',
    '<function=roll>{"sides": 6}<function>',
    '<function=roll>{{"sides": 6}}</function>',
    '<function=roll>{"sides": 6}',
  ])("a variant of the tag is read: %s", (text) => {
    expect(read(text)).toMatchObject({ text: "", calls: [roll], faults: [] });
  });

  test("N3: the closing tag inside a value is data", () => {
    expect(read('<function=say>{"text": "a </function> b"}</function>').calls).toEqual([
      ["say", { text: "a </function> b" }],
    ]);
  });

  test("a qwen-xml call, which shares the opener, is read as qwen-xml", () => {
    const text =
      "<tool_call>\n<function=roll>\n<parameter=sides>\n6\n</parameter>\n</function>\n</tool_call>";
    expect(read(text).sources).toEqual(["qwen-xml"]);
  });

  test("N11: a call with a truncated value never runs", () => {
    expect(read('<function=roll>{"sides": 6')).toMatchObject({ calls: [], faults: ["truncated"] });
    expect(read('<function=roll>{"sides": 6}', { reason: "length" })).toMatchObject({
      calls: [],
      faults: ["truncated"],
    });
  });

  test("N4: the tag in a sentence is text", () => {
    const text = "Use std::function<void()> or <function=name> as you like.";
    expect(read(text)).toMatchObject({ text, calls: [] });
  });
});
