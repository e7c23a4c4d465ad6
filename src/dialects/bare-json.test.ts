import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../base/json.ts";
import { bareJson } from "./bare-json.ts";
import { hermes } from "./hermes.ts";
import { few, outcome, ping, pingJson, roll, rollJson } from "./testing/outcome.ts";
import { extractorFor, readAnswer, tool } from "./testing/reading.ts";

const write = tool("write_file", { path: "string", content: "string", tags: "array", opt: "object" }, [
  "path",
  "content",
]);
const tools = [...few, write];
const read = (text: string) => outcome(text, { tools });
const parts = { text: "", reasoning: "", faults: [] };

test("a JSON object as the whole message is a call, and history is written in the same form", () => {
  const text = bareJson.writeCalls([{ id: "1", name: "roll", input: { sides: 6 } }]);
  expect(text).toBe('{"name": "roll", "parameters": {"sides":6}}');
  expect(read(text)).toMatchObject({ ...parts, calls: [roll], sources: ["bare-json"] });
});

test.each([
  ["a list", `[${pingJson}, ${rollJson}]`],
  ["separate lines", `${pingJson}\n${rollJson}`],
  ["a semicolon-separated sequence", `${pingJson}; ${rollJson};`],
  ["a comma-separated sequence", `${pingJson},\n${rollJson}`],
  ["a wrapper of calls", `{"tool_calls": [${pingJson}, ${rollJson}]}`],
  [
    "an API response",
    '{"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "ping", "arguments": "{}"}}, {"function": {"name": "roll", "arguments": "{\\"sides\\": 6}"}}]}',
  ],
  [
    "a parallel wrapper",
    '{"tool_uses": [{"recipient_name": "functions.ping", "parameters": {}}, {"recipient_name": "functions.roll", "parameters": {"sides": 6}}]}',
  ],
  [
    "a parallel wrapper as a call",
    '{"name": "multi_tool_use.parallel", "arguments": {"tool_uses": [{"recipient_name": "ping", "parameters": {}}, {"recipient_name": "roll", "parameters": {"sides": 6}}]}}',
  ],
])("several calls are read from %s", (_, text) => {
  const { calls, ...rest } = read(text);
  expect(rest).toMatchObject(parts);
  expect(calls.map(([name, input]) => [name.replace("functions.", ""), input])).toEqual([ping, roll]);
});

test.each([
  [
    "OpenAI's shape",
    '{"id": "call_7", "type": "function", "function": {"name": "roll", "arguments": "{\\"sides\\": 6}"}}',
  ],
  ["Anthropic's shape", '{"type": "tool_use", "id": "call_7", "name": "roll", "input": {"sides": 6}}'],
  [
    "a list inside an object",
    '{"tool_calls": [{"id": "call_7", "name": "roll", "arguments": {"sides": 6}}]}',
  ],
])("ids are kept: %s", (_, text) => {
  expect(read(text)).toMatchObject({ calls: [roll], ids: ["call_7"] });
});

test.each([
  '{"tool": "roll", "args": {"sides": 6}}',
  '{"function": "roll", "params": {"sides": 6}}',
  '{"arguments": {"sides": 6}, "name": "roll"}',
  '{"type": "function", "function": {"name": "roll", "parameters": {"sides": 6}}}',
  '{"name": "roll", "sides": 6}',
  '{\n  "name": "roll",\n  "parameters": {\n    "sides": 6\n  }\n}\n',
  '{"name": "roll", "arguments": [{"sides": 6}]}',
  `\uFEFF${rollJson}`,
])("A20, A21: varying key names are read: %s", (text) => {
  expect(read(text)).toMatchObject({ ...parts, calls: [roll] });
});

test.each(["<think>Six.</think>\n\n", "Six.\n</think>\n"])(
  "reasoning may precede the JSON: %j",
  (thought) => {
    expect(read(thought + rollJson)).toMatchObject({ text: "", reasoning: "Six.", calls: [roll] });
  },
);

test("leaked stop tokens, invented turns and invented results end the message", () => {
  for (const end of [
    "<|eot_id|>",
    "<|eom_id|>",
    "\n<|im_end|>",
    "\n</s>",
    "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nAgain?",
  ])
    expect(read(rollJson + end)).toMatchObject({ ...parts, calls: [roll] });
  expect(read(`${rollJson}\n<tool_response>4`)).toMatchObject({
    calls: [roll],
    faults: ["fabricated_result"],
  });
});

test.each([
  ["N6: a name that no tool has", '{"name": "Rex", "arguments": {"breed": "collie"}}'],
  ["N6: an unknown name among several calls", `[${rollJson}, {"name": "Rex", "arguments": {}}]`],
  [
    "N6: an unknown recipient among several",
    '{"tool_uses": [{"recipient_name": "ping", "parameters": {}}, {"recipient_name": "python", "parameters": {}}]}',
  ],
  ["N7: a call within a sentence", `Send ${rollJson} then.`],
  ["N7: a call below a line of words", `So:\n${rollJson}`],
  ["N7: a call above a line of words", `${rollJson}\nThis is what the log contained.`],
  ["N7: a call followed by a tag that ends nothing", `${rollJson}</s> is struck through`],
  ["N7: a call after another call and a word", `${rollJson}\n\nor\n\n${pingJson}`],
  [
    "N8: a definition",
    '{"name": "roll", "description": "Rolls.", "parameters": {"type": "object", "properties": {"sides": {"type": "integer"}}}}',
  ],
  [
    "N8: a definition of OpenAI",
    '{"type": "function", "function": {"name": "roll", "parameters": {"type": "object", "properties": {"sides": {"type": "integer"}}}}}',
  ],
  [
    "N8: a definition without parameters",
    '{"name": "ping", "parameters": {"type": "object", "properties": {}}}',
  ],
  [
    "N8: a short definition",
    '{"name": "roll", "parameters": {"sides": {"type": "integer", "description": "How many."}}}',
  ],
  [
    "N8: a name and parameters with a description",
    '{"name": "ping", "description": "Pings.", "parameters": {}}',
  ],
  ["N8: a configuration", '{"name": "ping", "version": "1.0.0", "scripts": {"test": "vitest"}}'],
  ["N8: a configuration with arguments", '{"name": "ping", "command": "node", "args": ["ping.js"]}'],
  ["N8: a name and nothing else", '{"name": "ping"}'],
  ["N8: an object without the required key", '{"name": "roll", "count": 2}'],
  ["N8: an object with an undeclared key", '{"name": "roll", "sides": 6, "colour": "red"}'],
  ["N8: an object whose arguments are a plain word", '{"name": "roll", "arguments": "six"}'],
  ["an ordinary answer", '{"city": "Nuuk", "name": "roll", "arguments": {}}'],
  ["a list of numbers", "[1, 2, 3]"],
  ["an empty list", "[]"],
  ["half an object", '{"name": "ro'],
])("%s is text", (_, text) => {
  expect(read(text)).toMatchObject({ text, calls: [], faults: [] });
});

test("values that a small Llama wraps in their schema are unwrapped", () => {
  for (const parameters of [
    '{"sides": {"type": "integer", "value": 6}}',
    '{"sides": {"type": "integer", "description": "How many.", "value": 6}}',
    '{"type": "object", "properties": {"sides": {"type": "integer", "value": 6}}, "required": ["sides"]}',
    '{"type": "object", "properties": {"sides": 6}}',
  ])
    expect(read(`{"name": "roll", "parameters": ${parameters}}`)).toMatchObject({ ...parts, calls: [roll] });
  const opt = { type: "x", value: 1 };
  const input = { path: "a", content: "b", opt };
  expect(read(JSON.stringify({ name: "write_file", parameters: input })).calls).toEqual([
    ["write_file", input],
  ]);
});

test.each([
  ["quotes", "{'name': 'roll', 'arguments': {'sides': 6,}}"],
  ["bare-key", '{name: "roll", arguments: {sides: 6}}'],
  ["brackets", `${rollJson}}`],
  ["comment", '{"name": "roll", "arguments": {"sides": 6 /* six */}}'],
])("unambiguous damage is repaired and reported: %s", (code, text) => {
  const [call] = readAnswer(text, { tools }).calls;
  expect(call).toMatchObject({ name: "roll", input: { sides: 6 } });
  expect(call?.repairs?.map((repair) => repair.code)).toContain(code);
});

test("the end of a string is guessed only for a model taught this dialect; otherwise the call is refused", () => {
  const text = '{"name": "write_file", "parameters": {"path": "a", "content": "say "hi", ok"}}';
  expect(read(text)).toMatchObject({ text: "", calls: [], faults: ["malformed_arguments"] });
  const [call] = readAnswer(text, { tools, known: bareJson }).calls;
  expect(call).toMatchObject({ input: { path: "a", content: 'say "hi", ok' }, repairs: [{ guess: true }] });
});

test("N11: missing brackets are supplied if every required argument is present; a truncated call is refused", () => {
  const [call] = readAnswer(rollJson.slice(0, -1), { tools }).calls;
  expect(call).toMatchObject({ input: { sides: 6 }, repairs: [{ code: "closers", guess: true }] });
  for (const text of [
    '{"name": "roll", "arguments": {"sides": 6',
    '{"name": "write_file", "arguments": {"path": "a"}',
    '{"name": "write_file", "arguments": {"path": "a", "content": "rm -rf /srv/ol',
    '[{"name": "ping", "arguments": {}}, {"name": "roll", "arguments": {"si',
  ])
    expect(read(text)).toMatchObject({ text: "", calls: [], faults: ["truncated"] });
  const options = { tools, reason: "length" } as const;
  expect(outcome(rollJson.slice(0, -1), options)).toMatchObject({ calls: [], faults: ["truncated"] });
  expect(outcome(`${pingJson}\n${rollJson.slice(0, -3)}`, options)).toMatchObject({
    calls: [ping],
    faults: ["truncated"],
  });
});

test("N7: from a model taught a dialect, bare JSON at the end of the answer is a call too, as a guess", () => {
  const text = `I roll.\n${rollJson}`;
  const [call] = readAnswer(text, { tools, known: hermes }).calls;
  expect(call).toMatchObject({ name: "roll", repairs: [{ code: "unmarked", guess: true }] });
  expect(outcome(text, { tools, known: hermes })).toMatchObject({ text: "I roll.", calls: [roll] });
  expect(readAnswer(text, { tools, known: bareJson }).calls).toMatchObject([
    { name: "roll", source: "bare-json" },
  ]);
  expect(outcome(`${text}\nDone.`, { tools, known: hermes })).toMatchObject({
    text: `${text}\nDone.`,
    calls: [],
  });
  expect(outcome(`${pingJson} was first.\n${rollJson}`, { tools, known: hermes }).calls).toEqual([roll]);
});

test("bare JSON after a marked call is text", () => {
  const text = `<tool_call>${pingJson}</tool_call>\n${rollJson}`;
  expect(read(text)).toMatchObject({ text: rollJson, calls: [ping] });
});

test("other JSON and bracketed prose stream without delay", () => {
  for (const text of [
    '{"city": "N',
    '{"name": "Rex", ',
    "[see the",
    "[1",
    "{ ping }",
    '[{"id": 1, "title"',
  ]) {
    const extractor = extractorFor({ tools, known: bareJson });
    const said = Array.from(text).flatMap((mark) => extractor.push(mark));
    expect(said.map((event) => (event.type === "text-delta" ? event.text : "")).join("")).toBe(
      text.trimEnd(),
    );
  }
});

const json: fc.Arbitrary<Json> = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));

test("N8: random JSON as the whole message is never a call", () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value);
      expect(readAnswer(text, { tools }).calls).toEqual([]);
    }),
  );
});

test("whatever the values contain, only the written calls are read", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ path: fc.string(), content: fc.string() }), { minLength: 1, maxLength: 4 }),
      (inputs) => {
        const calls = inputs.map((input, index) => ({ id: `${index}`, name: "write_file", input }));
        for (const text of [
          bareJson.writeCalls(calls),
          JSON.stringify(calls.map(({ name, input }) => ({ name, arguments: input }))),
        ])
          expect(read(text).calls).toEqual(inputs.map((input) => ["write_file", input]));
      },
    ),
  );
});

test("the name and its arguments on two lines are a call as the whole message", () => {
  for (const text of ['roll\n{"sides": 6}', '<tool_call>roll\n{"sides": 6}</tool_call>'])
    expect(read(text)).toMatchObject({ ...parts, calls: [roll] });
  for (const text of [
    'roll\n{"edges": 6}',
    'roll\n{"sides": 6} is it',
    'Now roll\n{"sides": 6}',
    'spin\n{"sides": 6}',
    '<tool_call>spin\n{"sides": 6}</tool_call>',
  ])
    expect(read(text)).toMatchObject({ calls: [], text });
});

test("a fence that is only closed is no part of a call, and proves nothing behind other text", () => {
  expect(read(`${rollJson}\n\`\`\``)).toMatchObject({ ...parts, calls: [roll] });
  expect(read(`So:\n${rollJson}\n\`\`\``).calls).toEqual([]);
});
