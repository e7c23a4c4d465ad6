import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { anyCharacter } from "../base/testing/any-character.ts";
import type { ToolCall } from "../protocol/messages.ts";
import { teach } from "./grammar/lesson.ts";
import { hermes } from "./hermes.ts";
import { dialects } from "./index.ts";
import { few, outcome } from "./testing/outcome.ts";
import { extractorFor, readAnswer } from "./testing/reading.ts";

test("A17: a call is one JSON object in tool_call tags, and the results of an answer are one text", () => {
  expect(hermes.writeCalls([{ id: "1", name: "read_file", input: { path: "a.ts" } }])).toBe(
    '<tool_call>\n{"name":"read_file","arguments":{"path":"a.ts"}}\n</tool_call>',
  );
  const results = [
    { id: "1", name: "read_file", content: [{ type: "text" as const, text: "one" }], isError: false },
    {
      id: "2",
      name: "run_command",
      content: [{ type: "text" as const, text: "no such command" }],
      isError: true,
    },
  ];
  expect(hermes.writeResults(results)).toBe(
    '<tool_response name="read_file">\none\n</tool_response>\n' +
      '<tool_response name="run_command" error="true">\nno such command\n</tool_response>',
  );
});

test("the lesson names every tool with its schema and shows calls that the reader itself understands", () => {
  const lesson = teach(hermes, [
    { name: "ping", description: "Pings.", schema: { type: "object", properties: {} } },
  ]);
  expect(lesson).toContain(
    '{"name":"ping","description":"Pings.","parameters":{"type":"object","properties":{}}}',
  );
  expect(read(lesson).map(({ name }) => name)).toEqual(["tool_name", "look_up"]);
  expect(lesson.length).toBeLessThan(1500);
});

test("A16: identical calls stay separate calls", () => {
  expect(runnable(block('{"name": "roll", "arguments": {}}').repeat(3))).toHaveLength(3);
});

test.each(["arguments", "args", "params", "parameters", "input"])(
  "A20: arguments are read from the key %s",
  (key) => {
    expect(runnable(block(`{"name": "roll", "${key}": {"sides": 6}}`))).toEqual([["roll", { sides: 6 }]]);
  },
);

test.each(['"hello"', "[1]", "5", "true", '[{"a": 1}, {"b": 2}]'])(
  "A20: arguments that are no object are an error, and no argument of that name: %s",
  (value) => {
    for (const key of ["arguments", "parameters"])
      expect(outcome(block(`{"name": "say", "${key}": ${value}}`), { tools: few })).toMatchObject({
        calls: [],
        faults: ["malformed_arguments"],
      });
  },
);

test("A20: without an arguments field, every other key is an argument", () => {
  expect(runnable(block('{"name": "say", "text": "hi", "input": "ls -la", "__proto__": 1}'))).toEqual([
    ["say", JSON.parse('{"text": "hi", "input": "ls -la", "__proto__": 1}')],
  ]);
  expect(runnable(block('{"name": "ping"}'))).toEqual([["ping", {}]]);
});

test("A21: the tool's name is read from name, tool or function", () => {
  const text = ["name", "tool", "function"]
    .map((key) => block(`{"${key}": "ping", "arguments": {}}`))
    .join("\n");
  expect(runnable(text).map(([name]) => name)).toEqual(["ping", "ping", "ping"]);
});

test("A19: brackets, quotation marks and tags inside strings are data", () => {
  const input = { content: 'if (a["}"]) { "x" } \\" </tool_call> <tool_call>\n{"name": "erase"}' };
  expect(runnable(hermes.writeCalls([{ id: "1", name: "write", input }]))).toEqual([["write", input]]);
});

test("A22: a missing closing tag and missing brackets at the end of the answer are supplied, and recorded", () => {
  const [tag] = read('<tool_call>\n{"name": "ping", "arguments": {"host": "a"}}');
  expect(tag).toMatchObject({ name: "ping", input: { host: "a" }, repairs: [{ code: "closing-tag" }] });
  const [brackets] = read('<tool_call>\n{"name": "ping", "arguments": {"host": "a"');
  expect(brackets).toMatchObject({
    name: "ping",
    input: { host: "a" },
    rawArguments: '{"name": "ping", "arguments": {"host": "a"',
    repairs: [{ code: "closers" }, { code: "closing-tag" }],
  });
});

test.each([
  ["in a string", '{"name": "exec", "arguments": {"cmd": "rm -rf /srv/old'],
  ["in a key", '{"name": "exec", "arguments": {"cmd": "ls", "cw'],
  ["after its name", '{"name": "exec"'],
  ["at the start of its arguments", '{"name": "exec", "arguments": {'],
  ["before a value", '{"name": "exec", "arguments": {"cmd": '],
  ["after a comma", '{"name": "exec", "arguments": {"cmd": "ls",'],
  ["in a number", '{"name": "exec", "arguments": {"timeout": 12'],
  ["after a string with open quotation marks", '{"name": "exec", "arguments": {"cmd": "echo "hi"'],
])("[T] N11: a call truncated %s is reported with its name and never runs", (_, body) => {
  expect(read(`<tool_call>\n${body}`)).toMatchObject([
    { name: "exec", input: {}, problem: expect.stringMatching(/^truncated/) },
  ]);
});

test("[T] a closing tag inside file content and raw line breaks in a string are kept", () => {
  const text = '<tool_call>{"name": "write", "arguments": {"content": "a\n\t</tool_call>\nb"}}</tool_call>';
  const [call] = read(text);
  expect(call).toMatchObject({
    name: "write",
    input: { content: "a\n\t</tool_call>\nb" },
    repairs: [{ code: "control" }],
  });
});

test("[T] two calls are read if the first lacks its closing tag or both share one block", () => {
  const [one, two] = ['{"name": "a", "arguments": {"x": 1}}', '{"name": "b", "arguments": {}}'];
  const both = [
    ["a", { x: 1 }],
    ["b", {}],
  ];
  expect(runnable(`<tool_call>\n${one}\n<tool_call>\n${two}\n</tool_call>`)).toEqual(both);
  expect(runnable(block(`${one}\n${two}`))).toEqual(both);
  expect(runnable(block(`[${one}, ${two}]`))).toEqual(both);
  expect(runnable(`<tool_call>${one}<tool_call>\n<tool_call>${two}<tool_call>`)).toEqual(both);
  expect(runnable(`<tool_call>{"name": "a", "arguments": {"x": 1}\n<tool_call>${two}</tool_call>`)).toEqual(
    both,
  );
});

test("[T] a call in OpenAI's shape keeps its name and its encoded arguments", () => {
  const body =
    '{"type": "function", "function": {"name": "say", "arguments": "{\\"text\\": \\"a \\\\\\"b\\\\\\"\\"}"}}';
  expect(runnable(block(body))).toEqual([["say", { text: 'a "b"' }]]);
});

test.each([
  ["trailing commas and comments", '{"name": "a", /* new */ "arguments": {"l": [1, 2,],},}', { l: [1, 2] }],
  [
    "Python literals and single quotes",
    "{'name': 'a', 'arguments': {'x': True, 'y': None}}",
    { x: true, y: null },
  ],
  ["bare keys", '{name: "a", arguments: {x: 1.5}}', { x: 1.5 }],
  ["typographic quotes", "{“name”: “a”, “arguments”: {“x”: “y”}}", { x: "y" }],
  ["one bracket too many", '{"name": "a", "arguments": {"x": 1}}}', { x: 1 }],
  ["one bracket too few before the closing tag", '{"name": "a", "arguments": {"x": 1}', { x: 1 }],
  ["words after the object", '{"name": "a", "arguments": {"x": 1}} That is it.', { x: 1 }],
  ["a fence inside the tag", '```json\n{"name": "a", "arguments": {"x": 1}}\n```', { x: 1 }],
  [
    "backslashes of a path",
    '{"name": "a", "arguments": {"p": "C:\\Users\\new\\Q 3"}}',
    { p: "C:\\Users\\new\\Q 3" },
  ],
  ["backslashes of an expression", '{"name": "a", "arguments": {"p": "\\d+\\.\\w"}}', { p: "\\d+\\.\\w" }],
  [
    "open quotation marks",
    '{"name": "a", "arguments": {"o": "puts("bye");", "n": "x"}}',
    { o: 'puts("bye");', n: "x" },
  ],
  ["quoted JSON", '{"name": "a", "arguments": {"c": "f({"k": "v"});"}}', { c: 'f({"k": "v"});' }],
  ["an escape too many", '{\\"name\\": \\"a\\", \\"arguments\\": {\\"x\\": 1}}', { x: 1 }],
  ["HTML entities", "{&quot;name&quot;: &quot;a&quot;, &quot;arguments&quot;: {&quot;x&quot;: 1}}", { x: 1 }],
  [
    "numbered HTML entities",
    "{&#39;name&#39;: &#39;a&#39;, &#39;arguments&#39;: {&#39;x&#39;: &#39;&lt;b&gt; &amp;amp; &#x2014;&#39;}}",
    { x: "<b> &amp; —" },
  ],
  ["full-width quotation marks", "{＂name＂: ＂a＂, ＂arguments＂: {＂x＂: 1}}", { x: 1 }],
  ["doubled brackets", '{{"name": "a", "arguments": {{"x": 1}}}}', { x: 1 }],
  ["a call encoded as text", '"{\\"name\\": \\"a\\", \\"arguments\\": {\\"x\\": 1}}"', { x: 1 }],
  ["a doubled opener", '<tool_call>\n{"name": "a", "arguments": {"x": 1}}', { x: 1 }],
])("damage is read as intended: %s", (_, body, input) => {
  expect(runnable(block(body))).toEqual([["a", input]]);
});

test("keys beside the arguments are ignored, and the repair is marked as a guess", () => {
  const [call] = readAnswer(block('{"name": "a", "arguments": {"x": 1}, "parameters": {"x": 2}}')).calls;
  expect(call).toMatchObject({ input: { x: 1 }, repairs: [{ code: "ignored-keys", guess: true }] });
});

test.each(["name", "recipient_name"])("calls in a parallel wrapper named by the key %s are read", (key) => {
  const uses = [{ recipient_name: "functions.a", parameters: { x: 1 } }];
  const wrapper = { [key]: "functions.multi_tool_use.parallel", parameters: { tool_uses: uses } };
  expect(runnable(block(JSON.stringify(wrapper)))).toEqual([["functions.a", { x: 1 }]]);
});

test("a call ends at a misspelt closing tag, or before more text if the tag is missing", () => {
  const body = '<tool_call>{"name": "a", "arguments": {}}';
  expect(runnable(`${body}</tool_calls>`)).toEqual([["a", {}]]);
  const extractor = extractorFor({ known: hermes });
  const events = [...extractor.push(`${body}\nI wait for it.`), ...extractor.end("stop")];
  expect(events.at(-1)).toEqual({ type: "text-delta", text: "I wait for it." });
  expect(extractor.calls).toBe(1);
});

test("doubled, misspelt or foreign closing tags are dropped, and words after them are text", () => {
  const body = '{"name": "a", "arguments": {"x": 1}}';
  const texts = [
    `<tool_call>${body}</tool_call></tool_call>\nI wait.`,
    `<tool_call>${body}\n</toolcall>\nI wait.`,
    `<tool_call>${body}</function>\nI wait.`,
    `<tool_call>\n<tool_call>\n${body}\n</tool_call>\n</tool_call>\nI wait.`,
    `<tool_call>${body}\nI wait.<|im_end|>`,
    `<tool_call>${body}\nI wait.\n<tool_call>${body}</tool_call>`,
  ];
  for (const text of texts)
    expect(outcome(text)).toMatchObject({
      text: "I wait.",
      calls: expect.arrayContaining([["a", { x: 1 }]]),
    });
});

test("an empty list is no call", () => {
  expect(outcome("<tool_call>[]</tool_call>\nDone.")).toMatchObject({ text: "Done.", calls: [], faults: [] });
});

test("words between tags on lines of their own are a malformed call; tags in a sentence are text", () => {
  const told = outcome("<tool_call>\nplease check the weather\n</tool_call>");
  expect(told).toMatchObject({ text: "", calls: [], faults: ["malformed_arguments"] });
  for (const text of [
    "Between <tool_call> and </tool_call> stands JSON.",
    "<tool_call> please check </tool_call>",
    "The tag\n<tool_call>\nbegins a call, and a call is JSON.",
    "<tool_call>\n</tool_call>",
  ])
    expect(outcome(text)).toMatchObject({ text, calls: [], faults: [] });
});

test("N5: a call in reasoning runs only if the reasoning never ends, wherever it began", () => {
  const call = block('{"name": "ping", "arguments": {}}');
  for (const [prefix, open] of [
    ["<think>\n", ""],
    [undefined, "<think>\n"],
  ] as const) {
    expect(outcome(`${open}Maybe ${call}`, { prefix })).toMatchObject({
      reasoning: "Maybe",
      calls: [["ping", {}]],
    });
    expect(outcome(`${open}Maybe ${call}? No.\n</think>\nNo.`, { prefix })).toMatchObject({
      text: "No.",
      calls: [],
    });
    expect(outcome(`${open}Maybe.\n</think>\n\n${call}`, { prefix })).toMatchObject({
      reasoning: "Maybe.",
      text: "",
      calls: [["ping", {}]],
    });
  }
  expect(outcome(`Maybe.\n</think>\n\n${call}`)).toMatchObject({
    reasoning: "Maybe.",
    calls: [["ping", {}]],
  });
});

test("a string whose end would have to be guessed across another call is refused", () => {
  const text =
    '<tool_call>{"name": "a", "arguments": {"x": "abc}}</tool_call>\nok\n<tool_call>{"name": "b", "arguments": {"y": "d"}}</tool_call>';
  expect(read(text).every(({ problem }) => problem !== undefined)).toBe(true);
});

test.each([
  ["no name", '{"arguments": {"x": 1}}'],
  ["a name that is not a string", '{"name": {"a": 1}, "arguments": {}}'],
  ["broken syntax", '{"name": "a" "arguments" = }'],
  ["excessive nesting", `{"name": "a", "arguments": ${"[".repeat(200)}${"]".repeat(200)}}`],
])("a call with %s is refused and reported with its raw text", (_, body) => {
  const [call, ...more] = read(block(body));
  expect(more).toEqual([]);
  expect(call).toMatchObject({
    input: {},
    problem: expect.any(String),
    rawArguments: expect.stringContaining("{"),
  });
  expect(call?.problem).not.toContain("\n");
});

test("written calls are read back exactly, whatever their contents and however the text is chunked", () => {
  const nasty = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 30 }),
    fc.constantFrom(
      "</tool_call>",
      "<tool_call>{",
      "<think>",
      "</think>",
      "```",
      '"',
      "\\",
      "\n",
      "\u2028",
      "<|im_end|>",
      "`",
      "}}",
    ),
  );
  const text = fc.array(nasty, { maxLength: 6 }).map((parts) => parts.join(""));
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("any"), { maxLength: 3 }),
      tie("object"),
    ),
    object: fc.dictionary(text, tie("any"), { maxKeys: 4 }),
  }));
  const input = value.object as fc.Arbitrary<JsonObject>;
  const name = fc.stringMatching(/^[a-z][a-z_]{0,20}$/);
  const calls = fc.array(fc.record({ name, input }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(calls, fc.array(fc.nat(2000), { maxLength: 8 }), (written, places) => {
      const output = hermes.writeCalls(written.map((call) => ({ id: "", ...call })));
      const expected = written.map((call) => [call.name, JSON.parse(JSON.stringify(call.input))]);
      expect(runnable(output, places)).toEqual(expected);
    }),
  );
});

test("a call truncated anywhere changes its input only by brackets added after a whole value, with a repair", () => {
  const whole = { name: "exec", input: { cmd: 'rm -rf "/srv/old"', n: 123, deep: [{ a: "b" }, [true]] } };
  const text = hermes.writeCalls([{ id: "", ...whole }]);
  const odd = Array.from({ length: text.length }, (_, end) => read(text.slice(0, end)))
    .flat()
    .filter(
      (call) => call.problem === undefined && JSON.stringify(call.input) !== JSON.stringify(whole.input),
    );
  expect(odd.length).toBeGreaterThan(0);
  for (const call of odd) {
    expect(call.repairs?.map(({ code }) => code)).toContain("closers");
    expect(call.input["cmd"]).toBe(whole.input.cmd);
    expect([undefined, 123]).toContain(call.input["n"]);
  }
});

test("the dialect registry lists hermes under its name", () => {
  expect(dialects[hermes.name]).toBe(hermes);
});

const block = (body: string): string => `<tool_call>\n${body}\n</tool_call>`;

function read(text: string, places: readonly number[] = []): ToolCall[] {
  const extractor = extractorFor({ known: hermes });
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted((a, b) => a - b);
  const events = [...ends, text.length].flatMap((end, index) =>
    extractor.push(text.slice(ends[index - 1] ?? 0, end)),
  );
  return [...events, ...extractor.end("stop")].flatMap((event) =>
    event.type === "call-end" ? [event.call] : [],
  );
}

const runnable = (text: string, places: readonly number[] = []): [string, JsonObject][] =>
  read(text, places).flatMap((call): [string, JsonObject][] =>
    call.problem === undefined ? [[call.name, call.input]] : [],
  );

const pairOf = (name: string, input: string, key = "arguments"): string =>
  `<name>${name}</name>\n<${key}>${input}</${key}>`;

test.each([
  ["alone", pairOf("roll", '{"sides": 6}')],
  ["in the format's tags", `<tool_call>\n${pairOf("roll", '{"sides": 6}')}\n</tool_call>`],
  ["in another tag", `<function>\n${pairOf("roll", '{"sides": 6}')}\n</function>`],
  ["under another key", pairOf(" roll ", '\n{"sides": 6,}\n', "parameters")],
  ["without its end", `<tool_call>\n<name>roll</name>\n<arguments>{"sides": 6}`],
  ["behind words", `I roll.\n${pairOf("roll", '{"sides": 6}')}`],
])("a name and its arguments in a tag each are a call: %s", (_, text) => {
  for (const known of [hermes, undefined])
    expect(outcome(text, { tools: few, known })).toMatchObject({
      text: text.startsWith("I roll.") ? "I roll." : "",
      calls: [["roll", { sides: 6 }]],
      faults: [],
    });
});

test("several such pairs are several calls, and a tag in a string is data", () => {
  const text =
    "<functions>\n" +
    pairOf("say", '{"text": "a </arguments> b"}') +
    "\n" +
    pairOf("ping", "{}") +
    "\n</functions>";
  expect(outcome(text, { tools: few })).toMatchObject({
    text: "",
    calls: [
      ["say", { text: "a </arguments> b" }],
      ["ping", {}],
    ],
  });
});

test.each([
  ["an unknown tool", pairOf("erase", '{"sides": 6}')],
  ["other content", "<name>roll</name>\n<version>1</version>"],
  ["arguments that are no object", pairOf("roll", "6")],
  ["a fence", `\`\`\`xml\n${pairOf("roll", '{"sides": 6}')}\n\`\`\`\nis how it looks.`],
  ["inline code", `It is \`<name>roll</name><arguments>{"sides": 6}</arguments>\`.`],
  ["a quotation", `> ${pairOf("roll", '{"sides": 6}').replace("\n", "\n> ")}\nit said.`],
  ["a sentence", "The tags <name> and <functions> are its own."],
])("such a pair is text: %s", (_, text) => {
  expect(outcome(text, { tools: few })).toMatchObject({ text, calls: [], faults: [] });
});

test("N11: a pair that is cut off never runs", () => {
  const text = '<name>say</name>\n<arguments>{"text": "a';
  for (const reason of ["stop", "length"] as const)
    expect(outcome(text, { tools: few, reason })).toMatchObject({ calls: [], faults: ["truncated"] });
});

test("a tag around calls is dropped", () => {
  const call = block('{"name": "ping", "arguments": {}}');
  for (const tag of ["functions", "tools"])
    expect(outcome(`I ping.\n<${tag}>\n${call}\n${call}\n</${tag}>`, { tools: few })).toMatchObject({
      text: "I ping.",
      calls: [
        ["ping", {}],
        ["ping", {}],
      ],
    });
  const text = "<functions>\nnone\n</functions>";
  expect(outcome(text, { tools: few })).toMatchObject({ text, calls: [] });
});
