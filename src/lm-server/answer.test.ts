/** A client gets text immediately and calls that it can run, however its model writes them. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import type { JsonObject } from "../base/json.ts";
import { hermes } from "../dialects/hermes.ts";
import { jsonAnswer } from "../dialects/json-answer.ts";
import { qwenXml } from "../dialects/qwen-xml.ts";
import { react } from "../dialects/react.ts";
import type { ToolCall, ToolDescription } from "../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import type { Model, Prompt } from "../providers/provider.ts";
import { scriptedModel, type ModelScript } from "../providers/scripted-model.ts";
import { switching } from "../providers/switching-model.ts";
import { taughtModel } from "../providers/taught-model.ts";
import { chosenWay } from "../providers/ways.ts";
import { type AnswerAccount, newAccount, repairsValue } from "./account.ts";
import { answerEvents } from "./answer.ts";

const readFile: ToolDescription = {
  name: "read_file",
  description: "Reads.",
  schema: {
    type: "object",
    properties: { path: { type: "string" }, lines: { type: "integer" } },
    required: ["path"],
    additionalProperties: false,
  },
};
const ping: ToolDescription = { name: "ping", description: "", schema: { type: "object", properties: {} } };

const asked = (more: Partial<Prompt> = {}): Prompt => ({
  system: "",
  messages: [{ role: "user", content: [{ type: "text", text: "Go." }] }],
  tools: [readFile, ping],
  ...more,
});

type Seen = { events: ModelEvent[]; account: AnswerAccount; text: string; calls: ToolCall[]; end: unknown };

async function answer(model: Model, prompt: Prompt = asked()): Promise<Seen> {
  const account = newAccount();
  const context = { name: "client-name", signal: new AbortController().signal, account };
  return seen(await collect(answerEvents(model, prompt, context)), account);
}

function seen(events: ModelEvent[], account: AnswerAccount): Seen {
  return {
    events,
    account,
    text: events.map((event) => (event.type === "text-delta" ? event.text : "")).join(""),
    calls: events.flatMap((event) => (event.type === "call-end" ? [event.call] : [])),
    end: events.findLast(({ type }) => type === "answer-end"),
  };
}

const answers = (script: ModelScript, prompt?: Prompt): Promise<Seen> =>
  answer(scriptedModel(script), prompt);

const good = { call: "read_file", with: { path: "a.ts" } } as const;
const broken = { call: "read_file", with: { file: 1, other: true } } as const;

test("text is streamed as it arrives, before the rest of the answer is known", async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel([[{ think: "Hm." }, { say: "I look." }, { wait: gate.promise }, good]]);
  const context = { name: "m", signal: new AbortController().signal, account: newAccount() };
  const events = answerEvents(model, asked(), context);
  const first: unknown[] = [];
  for (let count = 0; count < 4; count += 1) first.push((await events.next()).value?.type);
  expect(first).toEqual(["answer-start", "reasoning-delta", "reasoning-end", "text-delta"]);
  gate.resolve();
  expect((await collect(events)).map(({ type }) => type)).toEqual([
    "call-start",
    "call-delta",
    "call-end",
    "answer-end",
  ]);
});

test("D4: a call is sent in one piece when it is complete, in an answer of the requested model name", async () => {
  const { events } = await answer(scriptedModel([[{ say: "I look." }, good]], { pieces: 3 }));
  const [start, delta, end] = events.slice(-4);
  expect(events[0]).toEqual({ type: "answer-start", model: "client-name" });
  expect(start).toMatchObject({ type: "call-start", name: "read_file" });
  expect(delta).toMatchObject({ type: "call-delta", json: '{"path":"a.ts"}' });
  expect(end).toMatchObject({ type: "call-end", call: { input: { path: "a.ts" } } });
});

test("D8: a call that can be repaired is sent repaired", async () => {
  const { calls, events, account } = await answers([
    [{ call: "readFile", with: { path: "a.ts", lines: "3" } }],
  ]);
  expect(calls).toEqual([
    { id: "call_1", name: "read_file", input: { path: "a.ts", lines: 3 }, source: "native" },
  ]);
  expect(events).toContainEqual({ type: "call-delta", id: "call_1", json: '{"path":"a.ts","lines":3}' });
  expect(account).toMatchObject({ calls: 1, mended: 1, askedAgain: false });
  expect(repairsValue(account)).toMatch(/^mended=1, codes="[a-z -]+"$/);
});

test("a schema default is filled in only if the call would be invalid without it", async () => {
  const properties = { all: { type: "boolean", default: false }, path: { type: "string" } };
  const edit: ToolDescription = { ...ping, name: "edit", schema: { type: "object", properties } };
  const script: ModelScript = [[{ call: "edit", with: { path: "a" } }]];
  const optional = await answers(script, asked({ tools: [edit] }));
  expect([optional.calls[0]?.input, optional.account.mended]).toEqual([{ path: "a" }, 0]);
  const needing = { ...edit, schema: { ...edit.schema, required: ["all"] } };
  const needed = await answers(script, asked({ tools: [needing] }));
  expect([needed.calls[0]?.input, needed.account.mended]).toEqual([{ path: "a", all: false }, 1]);
});

test("a call that cannot be repaired is requested once more, and the client sees a single answer", async () => {
  const model = scriptedModel([
    [{ say: "I look." }, broken, { usage: { inputTokens: 10, outputTokens: 4 } }],
    [{ say: "Again." }, good, { usage: { inputTokens: 20, outputTokens: 5, cacheReadTokens: 8 } }],
  ]);
  const { events, text, calls, account } = await answer(model);
  expect(text).toBe("I look.\n\nAgain.");
  expect(calls.map(({ input }) => input)).toEqual([{ path: "a.ts" }]);
  expect(events.map(({ type }) => type)).toEqual([
    "answer-start",
    "text-delta",
    "text-delta",
    "call-start",
    "call-delta",
    "call-end",
    "usage",
    "answer-end",
  ]);
  expect(events.at(-2)).toEqual({
    type: "usage",
    usage: { inputTokens: 30, outputTokens: 9, cacheReadTokens: 8 },
  });
  expect(repairsValue(account)).toBe("asked-again");

  const [, again] = model.prompts;
  expect(again?.messages.slice(1).map(({ role }) => role)).toEqual(["assistant", "tool"]);
  expect(again?.messages.at(-1)).toMatchObject({
    callId: "call_1",
    isError: true,
    content: [
      { text: expect.stringMatching(/^ERROR: Your input to the tool was invalid \(.+\)\nPlease check/) },
    ],
  });
});

test("the reasoning of two attempts is separated by a blank line", async () => {
  const { events } = await answers([
    [{ think: "One." }, { think: "More." }, broken],
    [{ think: "Two." }, { say: "It is done." }],
  ]);
  const thoughts = events.flatMap((event) => (event.type === "reasoning-delta" ? [event.text] : []));
  expect(thoughts).toEqual(["One.", "More.", "\n\nTwo."]);
});

test("of several calls the valid ones are sent, and only the invalid ones are requested again", async () => {
  const model = scriptedModel([
    [good, broken, { call: "ping", with: {} }],
    [good, { call: "read_file", with: { path: "b.ts" } }],
  ]);
  const { calls, account } = await answer(model);
  expect(calls.map(({ name, input }) => [name, input])).toEqual([
    ["read_file", { path: "a.ts" }],
    ["ping", {}],
    ["read_file", { path: "b.ts" }],
  ]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
  expect(account).toMatchObject({ calls: 3, askedAgain: true });
  const results = model.prompts[1]?.messages.filter(({ role }) => role === "tool") ?? [];
  expect(results.map((message) => message.role === "tool" && message.isError)).toEqual([false, true, false]);
});

test("a repeated call is recognized whatever the order of its arguments", async () => {
  const both = { ...ping, schema: { type: "object", properties: { a: {}, b: {} } } };
  const model = scriptedModel([
    [{ call: "ping", with: { a: { x: 1, y: [2] }, b: 3 } }, broken],
    [
      { call: "ping", with: { b: 3, a: { y: [2], x: 1 } } },
      { call: "ping", with: { b: 3 } },
    ],
  ]);
  const { calls } = await answer(model, asked({ tools: [readFile, both] }));
  expect(calls.map(({ input }) => input)).toEqual([{ a: { x: 1, y: [2] }, b: 3 }, { b: 3 }]);
});

test("calls get unique ids even if the provider repeats ids within or across answers", async () => {
  const numbered = (path: string) => ({ call: "read_file", with: { path }, id: "call_0" });
  const model = scriptedModel([
    [numbered("a"), broken],
    [numbered("b"), numbered("b")],
  ]);
  const { calls } = await answer(model);
  expect(calls.map(({ id, input }) => [id, input["path"]])).toEqual([
    ["call_0", "a"],
    [expect.stringMatching(made), "b"],
    [expect.stringMatching(made), "b"],
  ]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
});

const made = /^call_[0-9a-f]{16}$/;

test("a call gets a fresh id if its own stands in the conversation already, or is none that every client takes", async () => {
  const earlier: ToolCall = { id: "call_0", name: "ping", input: {}, source: "native" };
  const prompt = asked({
    messages: [
      ...asked().messages,
      { role: "assistant", content: [{ type: "call", call: earlier }] },
      { role: "tool", callId: "call_0", name: "ping", content: [], isError: false },
    ],
  });
  for (const id of ["call_0", "functions.ping:0", "", "c".repeat(41)]) {
    const { calls } = await answers([[{ call: "ping", with: {}, id }]], prompt);
    expect(calls).toMatchObject([{ id: expect.stringMatching(made) }]);
  }
  const { calls } = await answers([[{ call: "ping", with: {}, id: "toolu_01AbC-9" }]], prompt);
  expect(calls).toMatchObject([{ id: "toolu_01AbC-9" }]);
});

test("an answer with one unmarked call among words is asked for that call once more, unseen", async () => {
  const words = '{"name": "read_file", "arguments": {"path": "a.ts"}}\n\nLet me know if that helps.';
  const model = scriptedModel([[{ say: words }], [{ say: "Here it is." }, good]]);
  const { calls, text, account } = await answer(model);
  expect([calls.length, text]).toEqual([1, `${words}\n\nHere it is.`]);
  expect(repairsValue(account)).toContain("asked-again");
  expect(JSON.stringify(model.prompts[1]?.messages.at(-1))).toContain("holds a call of read_file");
});

test("a call that stands among words again, when its model could have said that it was none, is sent", async () => {
  for (const words of [
    'I look.\n\n{"name": "read_file", "arguments": {"path": "a.ts",}}\n\nThat does it.',
    '```json\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n```\n\nThat does it.',
    '[read_file(path="a.ts")\n\nThat does it.',
  ]) {
    const { calls, text, end } = await answers([[{ say: words }], [{ say: words }]]);
    expect(calls.map(({ name, input }) => [name, input])).toEqual([["read_file", { path: "a.ts" }]]);
    expect([text, end]).toEqual([words, { type: "answer-end", reason: "tool-calls" }]);
  }
});

test("if no call was meant the client hears only the first answer, also if the second request fails", async () => {
  const words = 'Write it so:\n\n```json\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n```';
  const gone = new ModelError("network", "The connection broke off.");
  for (const second of [[{ say: "OK" }], [{ fail: gone }]]) {
    const { calls, text, end } = await answers([[{ say: words }], second]);
    expect([calls, text, end]).toEqual([[], words, { type: "answer-end", reason: "stop" }]);
  }
});

test("an undeclared argument that is sent again is dropped if the call is valid without it", async () => {
  const call = { call: "read_file", with: { path: "a.ts", description: "I read it." } };
  const { calls, account } = await answers([[call], [call]]);
  expect(calls.map(({ input }) => input)).toEqual([{ path: "a.ts" }]);
  expect(repairsValue(account)).toBe('mended=1, codes="argument-dropped", asked-again');
});

test("in tags as well an undeclared argument costs one more request, and not the call", async () => {
  const open: ToolDescription = { ...readFile, schema: { ...readFile.schema, additionalProperties: true } };
  const says = (name: string) =>
    `<function=${name}>\n<parameter=path>\na.ts\n</parameter>\n<parameter=description>\nI read.\n</parameter>\n</function>`;
  const { additionalProperties: _, ...undecided } = readFile.schema;
  for (const [tool, input] of [
    [readFile, { path: "a.ts" }],
    [
      { ...readFile, schema: undecided },
      { path: "a.ts", description: "I read." },
    ],
    [open, { path: "a.ts", description: "I read." }],
  ] as const) {
    const model = taughtModel(
      scriptedModel(() => [{ say: `<tool_call>\n${says("read_file")}\n</tool_call>` }]),
      qwenXml,
    );
    const { calls } = await answer(model, asked({ tools: [tool] }));
    expect(calls.map((call) => call.input)).toEqual([input]);
  }
});

test("a call that is invalid again is sent as written if a client can read it, without a third attempt", async () => {
  const model = scriptedModel([[broken], [broken]]);
  const { calls, end, account } = await answer(model);
  expect(model.prompts).toHaveLength(2);
  expect(calls.map(({ name, input }) => [name, input])).toEqual([["read_file", broken.with]]);
  expect(end).toEqual({ type: "answer-end", reason: "tool-calls" });
  expect(repairsValue(account)).toBe("asked-again, unmended=1");
});

test("a call of an unknown tool becomes a text note if the second attempt repeats it", async () => {
  const unknown = { call: "fly_to_moon", with: {} };
  const { calls, text, end, account } = await answers([[unknown], [{ say: "I fly." }, unknown]]);
  expect(calls).toEqual([]);
  expect(text).toMatch(
    /^I fly\.\n\n\[A call of a tool could not be used\. The tool "fly_to_moon" does not exist/,
  );
  expect(end).toEqual({ type: "answer-end", reason: "stop" });
  expect(repairsValue(account)).toBe("asked-again, lost=1");
});

test("on the second attempt the model may answer in text instead of a call", async () => {
  const { calls, text, end } = await answers([[broken], [{ say: "I need no file." }]]);
  expect([calls, text, end]).toEqual([[], "I need no file.", { type: "answer-end", reason: "stop" }]);
});

test("if the second attempt fails, the first answer is kept with its invalid call as written", async () => {
  const gone = new ModelError("network", "The connection broke off.");
  const { calls, text } = await answers([[{ say: "I look." }, broken], [{ fail: gone }]]);
  expect([text, calls.length]).toEqual(["I look.", 1]);
});

test("a failure of the first attempt fails the answer", async () => {
  const busy = new ModelError("rate-limit", "Too many.", { retryAfter: 1000 });
  await expect(answers([[{ fail: busy }]])).rejects.toBe(busy);
});

test("a provider that could not parse its own model's tool call is asked again once", async () => {
  const unread = new ModelError("server", "error parsing tool call", { fault: "malformed_by_provider" });
  const model = scriptedModel([[{ say: "I look." }, { fail: unread }], [good]]);
  const { calls, account } = await answer(model);
  expect([calls.length, account.askedAgain]).toEqual([1, true]);
  expect(model.prompts[1]?.messages.at(-1)).toMatchObject({ role: "user" });
  await expect(answers([[{ fail: unread }], [{ fail: unread }]])).rejects.toBe(unread);
  await expect(answers([[{ fail: unread }]], asked({ tools: [] }))).rejects.toBe(unread);
  await expect(answers([[good, { fail: unread }]], asked({ oneCall: true }))).rejects.toBe(unread);
});

test("a model whose calls are never readable gets a text note each time and stays in use", async () => {
  const unread = scriptedModel(() => [{ say: 'I try. <tool_call>\n{"name": "read_file", ][\n</tool_call>' }]);
  const model = switching(unread, chosenWay(unread, hermes));
  for (let time = 0; time < 5; time += 1) {
    const { text, calls, end } = await answer(model);
    expect(text).toMatch(/^I try\..+I try\..+\[A call of a tool could not be used\./s);
    expect([calls, end]).toEqual([[], { type: "answer-end", reason: "stop" }]);
  }
  expect(unread.prompts).toHaveLength(10);
});

test("the model's server holds it to the calls of the client's tools; one that refuses is noted", async () => {
  const says = '{"say": "I look.", "calls": [{"name": "read_file", "arguments": {"path": "a"}}]}';
  const model = scriptedModel((prompt) => {
    return prompt.constraint?.type === "schema"
      ? [{ say: says }]
      : [{ fail: new ModelError("server", "The prompt has no constraint.") }];
  });
  const held = switching(model, chosenWay(model, jsonAnswer, { constraints: ["schema"] }));
  const { text, calls } = await answer(held, asked({ toolChoice: { name: "read_file" }, oneCall: true }));
  expect([text, calls.map(({ name, input }) => [name, input])]).toEqual([
    "I look.",
    [["read_file", { path: "a" }]],
  ]);
  const { constraint } = model.prompts[0] ?? {};
  expect(JSON.stringify(constraint)).toMatch(/"minItems":1,"maxItems":1/);
  expect(JSON.stringify(constraint)).not.toContain("ping");
  const refusing = scriptedModel((prompt) =>
    prompt.constraint ? [{ fail: new ModelError("bad-request", "No.", { status: 400 }) }] : [{ say: says }],
  );
  const dropped = await answer(
    switching(refusing, chosenWay(refusing, jsonAnswer, { constraints: ["schema"] })),
  );
  expect(dropped.calls).toHaveLength(1);
  expect(repairsValue(dropped.account)).toContain('noted="constraint-dropped"');
});

test("a result fabricated by the model is reported", async () => {
  const says = "Thought: look\nAction: ping\nAction Input: {}\nObservation: pong\nFinal Answer: It is pong.";
  const model = taughtModel(scriptedModel([[{ say: says }]]), react);
  const { account } = await answer(model);
  expect(repairsValue(account)).toContain('noted="fabricated_result"');
});

test("arguments with numbers beyond double precision are sent as written unless they were repaired", async () => {
  const raw = '{ "id": 12345678901234567890, "deep": [0.1234567890123456789] }';
  const input: JsonObject = JSON.parse(raw);
  const sent = async (call: Partial<ToolCall>) => {
    const whole: ToolCall = { id: "a", name: "ping", input, source: "native", rawArguments: raw, ...call };
    const model: Pick<Model, "ask"> = {
      async *ask() {
        yield { type: "call-end", call: whole };
        yield { type: "answer-end", reason: "tool-calls" };
      },
    };
    const { events, calls } = await answer({ name: "m", ...model });
    const json = events.flatMap((event) => (event.type === "call-delta" ? [event.json] : []));
    return [...json, calls[0]?.rawArguments];
  };
  expect(await sent({})).toEqual([raw, raw]);
  expect(await sent({ input: { id: 1 } })).toEqual(['{"id":1}', undefined]);
  expect(await sent({ rawArguments: "no JSON" })).toEqual([JSON.stringify(input), undefined]);
});

test("a number that loses digits is reported", async () => {
  const told = async (id: string) => {
    const { account } = await answers([[{ call: "ping", with: JSON.parse(`{"deep":[{"id":${id}}]}`) }]]);
    return repairsValue(account);
  };
  expect(await told("12345678901234567890")).toBe('noted="long-number"');
  for (const id of ["9007199254740991", "1.5", '"12345678901234567890"'])
    expect(await told(id)).toBeUndefined();
});

test("a call cut off at the length limit is neither sent nor requested again", async () => {
  const model = taughtModel(
    scriptedModel([
      [{ say: '<tool_call>\n{"name": "read_file", "arguments": {"path": "a' }, { end: "length" }],
    ]),
    hermes,
  );
  const { calls, text, end, account } = await answer(model);
  expect([calls, text, account.askedAgain]).toEqual([[], "", false]);
  expect(end).toEqual({ type: "answer-end", reason: "length" });
});

test("a call without offered tools is passed on as text", async () => {
  const model = taughtModel(
    scriptedModel([[{ say: '<tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>' }]]),
    hermes,
  );
  const { calls, text, account } = await answer(model, asked({ tools: [] }));
  expect([calls, account.calls]).toEqual([[], 0]);
  expect(text).toContain('"name": "ping"');
  const native = await answers([[{ call: "ping", with: {} }]], asked({ toolChoice: "none" }));
  expect([native.calls, native.text]).toEqual([[], '{"name":"ping","arguments":{}}']);
});

test("the agent's completion marker stays in the text", async () => {
  const model = taughtModel(scriptedModel([[{ say: "All done. [TASK_COMPLETE]" }]], { pieces: 5 }), hermes);
  expect((await answer(model)).text).toBe("All done. [TASK_COMPLETE]");
});

test("a required call that is missing is requested again", async () => {
  const model = scriptedModel([[{ say: "Hello." }], [good]]);
  const { calls } = await answer(model, asked({ toolChoice: "required" }));
  expect(calls).toHaveLength(1);
  expect(model.prompts[1]?.messages.at(-1)).toMatchObject({
    content: [{ text: expect.stringContaining("must contain at least one call") }],
  });
  const one = scriptedModel([[{ call: "ping", with: {} }], [good]]);
  const forced = await answer(one, asked({ toolChoice: { name: "read_file" } }));
  expect(forced.calls.map(({ name }) => name)).toEqual(["read_file"]);
});

test("tool names that a provider would refuse are rewritten for it and restored in the answer", async () => {
  const dotted: ToolDescription = { ...ping, name: "files.read/all" };
  const model = scriptedModel([[{ call: "files_read_all", with: {} }]]);
  const { calls } = await answer(model, asked({ tools: [dotted, ping], toolChoice: { name: dotted.name } }));
  expect(calls.map(({ name }) => name)).toEqual(["files.read/all"]);
  expect(model.prompts[0]).toMatchObject({
    tools: [{ name: "files_read_all" }, { name: "ping" }],
    toolChoice: { name: "files_read_all" },
  });
});

test("an unusable schema does not block a call", async () => {
  const odd: ToolDescription = { ...ping, schema: { $ref: "#/nowhere" } };
  const { calls } = await answers([[{ call: "ping", with: { any: 1 } }]], asked({ tools: [odd] }));
  expect(calls.map(({ input }) => input)).toEqual([{ any: 1 }]);
});

test("D10: results without a call are dropped, and a call without a result gets one", async () => {
  const model = scriptedModel([[{ say: "Yes." }]]);
  const call: ToolCall = { id: "x", name: "ping", input: {}, source: "native" };
  await answer(
    model,
    asked({
      messages: [
        { role: "tool", callId: "lost", name: "ping", content: [], isError: false },
        { role: "user", content: [{ type: "text", text: "Go." }] },
        { role: "assistant", content: [{ type: "call", call }] },
      ],
    }),
  );
  expect(model.prompts[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
});

test("aborting during the second attempt rejects the answer", async () => {
  const stop = new AbortController();
  const model = scriptedModel((_, round) => {
    if (round === 1) return [broken];
    stop.abort(new Error("gone"));
    return [good];
  });
  const events = answerEvents(model, asked(), { name: "m", signal: stop.signal, account: newAccount() });
  await expect(collect(events)).rejects.toThrow("gone");
});

test("a client that takes one call per answer gets the first valid one", async () => {
  const model = scriptedModel([[broken, good, { call: "ping", with: {} }]]);
  const { calls, account, end } = await answer(model, asked({ oneCall: true }));
  expect([calls.map(({ name }) => name), account.askedAgain]).toEqual([["read_file"], false]);
  expect(repairsValue(account)).toBe("dropped=1");
  expect(end).toEqual({ type: "answer-end", reason: "tool-calls" });
});

const step = fc.oneof(
  fc.constant({ say: "Words. " }),
  fc.constant({ think: "Hm." }),
  fc.constantFrom<{ call: string; with: JsonObject }>(
    good,
    broken,
    { call: "ping", with: {} },
    { call: "READ-FILE", with: { path: "b", lines: "1" } },
    { call: "nothing", with: {} },
  ),
);

test("D5: whatever two attempts contain, the client sees one answer whose end reason matches its calls", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.array(step, { maxLength: 6 }), async (one, two) => {
      const { events, calls, account, end } = await answers([one, two]);
      const types = events.map(({ type }) => type);
      expect(types.filter((type) => type === "answer-start")).toHaveLength(1);
      expect(types.indexOf("answer-end")).toBe(types.length - 1);
      expect(end).toEqual({ type: "answer-end", reason: calls.length > 0 ? "tool-calls" : "stop" });
      expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
      for (const [at, event] of events.entries()) {
        if (event.type !== "call-end") continue;
        expect(types.slice(at - 2, at)).toEqual(["call-start", "call-delta"]);
        expect(events[at - 1]).toMatchObject({ json: JSON.stringify(event.call.input) });
      }
      const wrong = calls.filter(({ name, input }) => name === "read_file" && !("path" in input));
      expect(wrong).toHaveLength(account.unmended);
      expect(calls.filter(({ name }) => name === "nothing")).toEqual([]);
      expect(calls.length).toBe(account.calls);
    }),
  );
});
