import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../base/json.ts";
import type { WrittenCall } from "./dialect.ts";
import { nastyPieces } from "./testing/calls.ts";
import { few, outcome, ping, roll } from "./testing/outcome.ts";
import { extractorFor, readAnswer, summary, tool } from "./testing/reading.ts";
import { yipsAgent, yipsTools } from "./yips.ts";

const tools = [...few, tool("write_file", { path: "string", content: "string" }, ["path"])];
const auto = (text: string) => outcome(text, { tools });
const taught = (text: string) => outcome(text, { tools, known: yipsAgent });

const fenced = (kind: string, body: string) => `\`\`\`yips-${kind}\n${body}\n\`\`\``;
const agent = (envelope: Json) => fenced("agent", JSON.stringify(envelope));
const action = (id: string, name = "ping", input: Json = {}) => ({
  type: "tool",
  id,
  name,
  arguments: input,
});
const one = agent({ assistant_text: "One moment.", actions: [action("a1")] });
const problemOf = (text: string) => readAnswer(text, { tools }).calls[0]?.problem;

test("a call of another format behind the envelope of a model taught it is no second envelope", () => {
  const other = '<tool_call>\n{"name": "roll", "arguments": {"sides": 6}}\n</tool_call>';
  expect(taught(`${one}\n${other}`)).toMatchObject({ calls: [roll, ping], faults: [] });
});

describe.each([
  ["from any model", auto, undefined],
  ["from a model taught it", taught, yipsAgent],
])("%s", (_, read, known) => {
  test("B2: an envelope carries text and actions with their ids", () => {
    const envelope = {
      assistant_text: "One moment.",
      actions: [action("a1", "roll", { sides: 6 }), action("a2")],
    };
    expect(read(agent(envelope))).toEqual({
      text: "One moment.",
      reasoning: "",
      calls: [roll, ping],
      ids: ["a1", "a2"],
      sources: ["yips-agent"],
      faults: [],
    });
    expect(read(fenced("agent", JSON.stringify(envelope, undefined, 2)))).toMatchObject({
      calls: [roll, ping],
    });
    expect(read(agent({ assistant_text: "Hello." }))).toMatchObject({
      text: "Hello.",
      calls: [],
      faults: [],
    });
  });

  test("B3: the older envelope has a list for each kind of call", () => {
    const envelope = {
      tool_calls: [{ id: "t1", name: "roll", arguments: { sides: 6 } }],
      skill_calls: [{ id: "s1", name: "search", arguments: { query: "x" } }],
      subagent_calls: [{ id: "g1", task: "Look.", max_rounds: 3 }],
    };
    expect(read(fenced("tools", JSON.stringify(envelope)))).toMatchObject({
      text: "",
      calls: [roll, ["search", { query: "x" }], ["delegate", { task: "Look.", max_rounds: 3 }]],
      ids: ["t1", "s1", "g1"],
      faults: [],
    });
  });

  test("B6: a skill becomes a call by its name, and a subagent a call of delegate within its limits", () => {
    const subagent = {
      type: "subagent",
      id: "g",
      task: "Look.",
      context: "c",
      allowed_tools: ["ping", "rm", 7],
      max_rounds: 9,
      more: 1,
    };
    const skill = { type: "skill", id: "s", name: "fetch", arguments: { url: "u" } };
    expect(read(agent({ actions: [subagent, skill] })).calls).toEqual([
      ["delegate", { task: "Look.", context: "c", allowed_tools: ["ping"], max_rounds: 6 }],
      ["fetch", { url: "u" }],
    ]);
  });

  test("B6: text before the block and assistant_text are joined by a blank line", () => {
    expect(read(`Let me see.\n${one}`)).toMatchObject({ text: "Let me see.\n\nOne moment.", calls: [ping] });
  });

  test("B4: two envelopes are refused, and nothing of them runs", () => {
    for (const other of [
      agent({ actions: [action("a2")] }),
      fenced("tools", '{"tool_calls": []}'),
      fenced("agent", "{"),
    ])
      for (const between of ["\n", "\n\nand\n\n"]) {
        const { calls, faults } = read(one + between + other);
        expect({ calls, faults }).toEqual({ calls: [], faults: ["multiple_envelopes"] });
      }
    expect(problemOf(`${one}\n${one}`)).toMatch(/^Protocol parse error: expected exactly one /);
  });

  test.each([
    ["no JSON", "{'actions': []}"],
    ["JSON that would be repaired elsewhere", '{"actions": [],}'],
    ["a list at its root", '[{"actions": []}]'],
    ["a text at its root", '"actions"'],
    ["an empty body", ""],
    ["text after the JSON", '{"actions": []} ok'],
    ["neither actions nor text", '{"calls": []}'],
    ["actions that are no list", '{"actions": {"type": "tool"}}'],
    ["only invalid actions", '{"actions": [7, {"type": "tool", "id": "a"}]}'],
    [
      "a raw line break in a string",
      '{"actions": [{"type": "tool", "id": "a", "name": "ping", "arguments": {"x": "a\n```\n"}}]}',
    ],
  ])("B5, N14: an envelope with %s is refused", (_, body) => {
    const text = fenced("agent", body);
    expect(read(text)).toMatchObject({ text: "", calls: [], faults: ["malformed_envelope"] });
    expect(problemOf(text)).toMatch(/^Protocol parse error: .* Nothing was run\./s);
  });

  test("B6: malformed actions and actions with a repeated id are skipped and reported; the others run", () => {
    const actions: Json[] = [
      action(" a1 "),
      action("a1", "roll", { sides: 1 }),
      action("", "roll", { sides: 1 }),
      action("a2", "roll", "six"),
      { ...action("a3"), type: "order" },
      { type: "subagent", id: "g", task: "Look.", max_rounds: 0 },
      { type: "subagent", id: "h", task: "Look.", allowed_tools: "ping" },
      null,
      action("a4", "roll", { sides: 6 }),
    ];
    expect(read(agent({ actions }))).toMatchObject({
      calls: [ping, roll],
      ids: ["a1", "a4"],
      faults: ["duplicate_id", "malformed_envelope"],
    });
  });

  test("B6: an action with an unknown tool name is passed on", () => {
    expect(read(agent({ actions: [action("a1", "erase"), action("a2")] })).calls).toEqual([
      ["erase", {}],
      ping,
    ]);
  });

  test("1.F: Markdown inside strings does not end the envelope", () => {
    const input = {
      path: "a.md",
      content: '# A\n\n```js\nlet x = "```";\n```\n\nyips:\n```yips-agent\n{}\n```\n',
    };
    expect(read(agent({ actions: [action("w", "write_file", input)] }))).toMatchObject({
      text: "",
      calls: [["write_file", input]],
      faults: [],
    });
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...nastyPieces, one, "\n```\n"), { maxLength: 6 }), (pieces) => {
        const hostile = { path: "a", content: pieces.join("") };
        expect(read(agent({ actions: [action("w", "write_file", hostile)] })).calls).toEqual([
          ["write_file", hostile],
        ]);
      }),
      { numRuns: 50 },
    );
  });

  test("N11: nothing in an envelope without its end runs, unless only the fence is missing", () => {
    for (const text of [one.slice(0, -8), one.slice(0, -5), one.slice(0, 30)])
      expect(read(text)).toMatchObject({ text: "", calls: [], faults: ["malformed_envelope"] });
    for (const text of [one.slice(0, -3), one.slice(0, -4), `I look.\n${one.slice(0, -4)}`])
      expect(read(text)).toMatchObject({ calls: [ping], faults: [] });
    expect(read(`${one.slice(0, -3)}Done.`)).toMatchObject({ calls: [], faults: ["malformed_envelope"] });
  });

  test("B6: a skill that is no tool becomes a call of the tool that reads skills, if that is offered", () => {
    const skills: Json[] = [
      { type: "skill", id: "s", name: "review" },
      { type: "skill", id: "t", name: "review", arguments: { file: "more.md", version: 2 } },
      { type: "skill", id: "u", name: "ping", arguments: {} },
    ];
    const withSkills = [...tools, tool("skill", { name: "string", file: "string" }, ["name"])];
    expect(outcome(agent({ actions: skills }), { tools: withSkills, known }).calls).toEqual([
      ["skill", { name: "review" }],
      ["skill", { name: "review", file: "more.md" }],
      ping,
    ]);
    expect(read(agent({ actions: skills.slice(1) })).calls).toEqual([
      ["review", { file: "more.md", version: 2 }],
      ping,
    ]);
  });

  test("reasoning may precede the envelope, and a leaked stop token may follow it", () => {
    expect(read(`<think>Hm.</think>\n${one}<|im_end|>`)).toMatchObject({
      text: "One moment.",
      reasoning: "Hm.",
      calls: [ping],
      faults: [],
    });
  });

  test.each([
    ["a mention of the fence", "It writes ```yips-agent and JSON."],
    ["the fence as a heading", "```yips-agent is what it is called"],
    ["a fence with a similar name", '```yips-agents\n{"actions": []}\n```'],
    ["N1: an envelope in a fence", `~~~~\n${one}\n~~~~\nis it.`],
    ["N10: a quoted envelope", `> ${one.replaceAll("\n", "\n> ")}`],
  ])("%s is text", (_, text) => {
    expect(read(text)).toMatchObject({ text, calls: [], faults: [] });
  });
});

test("an envelope followed by text is an example unless the model was taught the format", () => {
  const text = `Let me see.\n${one}\nDone.`;
  expect(auto(text)).toMatchObject({ text, calls: [], faults: [] });
  expect(taught(text)).toMatchObject({
    text: "Let me see.\n\nOne moment.\n\nDone.",
    calls: [ping],
    faults: [],
  });
});

test("B4: calls are reported only at the end of the answer", () => {
  const extractor = extractorFor({ tools, known: yipsAgent });
  const before = extractor.push(`${one}\nDone.`);
  expect(summary(before)).toMatchObject({ text: "One moment.\n\nDone.", calls: [] });
  expect(summary(extractor.end("stop")).calls).toMatchObject([{ id: "a1", name: "ping" }]);
  const broken = extractorFor({ tools, known: yipsAgent });
  broken.push(`${one}\nDone.`);
  expect(summary(broken.flush()).calls).toEqual([]);
});

test("N11: an envelope cut off at the length limit is reported as truncated", () => {
  const options = { tools, known: yipsAgent, reason: "length" } as const;
  expect(outcome(one.slice(0, -4), options)).toMatchObject({ calls: [], faults: ["truncated"] });
  expect(outcome(one, options)).toMatchObject({ calls: [ping], faults: [] });
});

test("B14: an envelope without its own fence is reported as no_envelope if the model was taught the format", () => {
  const body = JSON.stringify({ assistant_text: "x", actions: [action("a1")] });
  for (const text of [body, `\`\`\`json\n${body}\n\`\`\``, `\`\`\`\n${body}\n\`\`\``]) {
    expect(taught(`I ping.\n${text}`)).toMatchObject({ text: "I ping.", calls: [], faults: ["no_envelope"] });
    expect(auto(text)).toMatchObject({ text, calls: [], faults: [] });
  }
  for (const text of [
    '{"actions": "none"}',
    '{"actions": []} is an empty one.',
    '```json\n{"actions": [1]}\n```\nok',
  ])
    expect(taught(text)).toMatchObject({ text, calls: [], faults: [] });
});

test("a model taught one kind of envelope may write either kind", () => {
  const older = fenced("tools", '{"tool_calls": [{"id": "t1", "name": "ping", "arguments": {}}]}');
  expect(taught(`${older}\nDone.`)).toMatchObject({ text: "Done.", calls: [ping] });
  expect(outcome(`${one}\nDone.`, { tools, known: yipsTools })).toMatchObject({ calls: [ping] });
});

test("history has one envelope for the calls of an answer, and results carry the names of their tools (1.F)", () => {
  const calls: WrittenCall[] = [
    { id: "a1", name: "ping", input: {} },
    { id: "g1", name: "delegate", input: { task: "Look.", max_rounds: 2 } },
  ];
  for (const dialect of [yipsAgent, yipsTools])
    expect(outcome(dialect.writeCalls(calls), { tools, known: dialect })).toMatchObject({
      calls: [ping, ["delegate", { task: "Look.", max_rounds: 2 }]],
      ids: ["a1", "g1"],
    });
  const content = [{ type: "text" as const, text: "pong" }];
  expect(yipsAgent.writeResults([{ id: "a1", name: "ping", content, isError: false }])).toBe(
    "Action results:\n\n[a1] ping: ok\npong",
  );
});
