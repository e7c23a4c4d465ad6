import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import type { Prompt } from "./provider.ts";
import { scriptedModel } from "./scripted-model.ts";

const prompt: Prompt = {
  system: "",
  messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
  tools: [],
};
const never = new AbortController().signal;

test("a script becomes a complete answer whose events keep the order written", async () => {
  const state = { from: "gemini", value: "sig" };
  const model = scriptedModel([
    [
      { think: "Hm.", state },
      { say: "I look." },
      { call: "read_file", with: { path: "a" } },
      { call: "now", with: {}, id: "mine" },
      { usage: { inputTokens: 3, outputTokens: 2 } },
      { state },
    ],
  ]);
  expect(await collect(model.ask(prompt, never))).toEqual<ModelEvent[]>([
    { type: "answer-start", model: "scripted/model" },
    { type: "reasoning-delta", text: "Hm." },
    { type: "reasoning-end", state },
    { type: "text-delta", text: "I look." },
    { type: "call-start", id: "call_1", name: "read_file" },
    { type: "call-delta", id: "call_1", json: '{"path":"a"}' },
    { type: "call-end", call: { id: "call_1", name: "read_file", input: { path: "a" }, source: "native" } },
    { type: "call-start", id: "mine", name: "now" },
    { type: "call-delta", id: "mine", json: "{}" },
    { type: "call-end", call: { id: "mine", name: "now", input: {}, source: "native" } },
    { type: "usage", usage: { inputTokens: 3, outputTokens: 2 } },
    { type: "answer-end", reason: "tool-calls", state },
  ]);
});

test("a scripted end overrides the one implied by calls, and an empty script is an empty answer", async () => {
  const model = scriptedModel([[{ call: "f", with: {} }, { end: "length" }], []]);
  expect((await collect(model.ask(prompt, never))).at(-1)).toEqual({ type: "answer-end", reason: "length" });
  expect(await collect(model.ask(prompt, never))).toEqual([
    { type: "answer-start", model: "scripted/model" },
    { type: "answer-end", reason: "stop" },
  ]);
});

test("texts and arguments are split into pieces of the chosen size, never inside a surrogate pair", async () => {
  const model = scriptedModel([[{ say: "ab👩c" }, { call: "f", with: { a: 1 } }]], { pieces: 2 });
  const events = await collect(model.ask(prompt, never));
  const said = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
  const sent = events.flatMap((event) => (event.type === "call-delta" ? [event.json] : []));
  expect(said).toEqual(["ab", "👩c"]);
  expect(sent).toEqual(['{"', 'a"', ":1", "}"]);
});

test("a script function gets each prompt and the round's number, and prompts are recorded as copies", async () => {
  const asked = structuredClone(prompt);
  const model = scriptedModel((heard, round) => [{ say: `${round}: ${heard.messages.length}` }], {
    name: "a/b",
  });
  await collect(model.ask(asked, never));
  asked.messages.push({ role: "user", content: [{ type: "text", text: "More" }] });
  const second = await collect(model.ask(asked, never));
  expect(second[1]).toEqual({ type: "text-delta", text: "2: 2" });
  expect(model.prompts).toEqual([prompt, asked]);
  const [first] = asked.messages;
  const copies = model.prompts.map(({ messages }) => messages[0]);
  expect(copies[0]).not.toBe(first);
  expect(copies[1]).toBe(copies[0]); // a long conversation is not copied again at each step
  expect(model.name).toBe("a/b");
});

test("a prompt after the end of the script fails with a bad-request error that says so", async () => {
  const model = scriptedModel([[{ say: "Only this." }]]);
  await collect(model.ask(prompt, never));
  await expect(collect(model.ask(prompt, never))).rejects.toEqual(
    new ModelError(
      "bad-request",
      "The script of scripted/model is over: it was asked 2 times and has an answer for 1; write one more.",
    ),
  );
});

test("a script that no compiler has looked at is told which step has an unknown kind, and which kinds there are", async () => {
  const problemOf = async (json: string) => {
    const asked = collect(scriptedModel(JSON.parse(json)).ask(prompt, never));
    return asked.then(String, (error: unknown) => (error instanceof ModelError ? error.message : error));
  };
  const kinds = "the kinds are say, think, call, wait, fail, usage, end, state.";
  expect(await problemOf('[[{ "say": "a" }, { "says": "b", "to": "you" }]]')).toBe(
    `The script of scripted/model has an unknown kind of step: step 2 of answer 1 is says, to; ${kinds}`,
  );
  expect(await problemOf('[["Hello."]]')).toBe(
    `The script of scripted/model has an unknown kind of step: step 1 of answer 1 is string; ${kinds}`,
  );
  expect(await problemOf('[{ "say": "a" }]')).toBe(
    "The script of scripted/model has no list of steps as answer 1.",
  );
});

test("a failure as the first step is thrown without an answer-start", async () => {
  const error = new ModelError("overloaded", "Busy.");
  const heard: ModelEvent[] = [];
  const listen = async (steps: Parameters<typeof scriptedModel>[0]) => {
    for await (const event of scriptedModel(steps).ask(prompt, never)) heard.push(event);
  };
  await expect(listen([[{ fail: error }]])).rejects.toBe(error);
  expect(heard).toEqual([]);
  await expect(listen([[{ say: "x" }, { fail: error }]])).rejects.toBe(error);
  expect(heard.map((event) => event.type)).toEqual(["answer-start", "text-delta"]);
});

test("a gate holds the answer until it opens", async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel([[{ say: "before" }, { wait: gate.promise }, { say: "after" }]]);
  const events = model.ask(prompt, never)[Symbol.asyncIterator]();
  await events.next();
  expect((await events.next()).value).toEqual({ type: "text-delta", text: "before" });
  const next = events.next();
  let settled = false;
  void next.then(() => (settled = true));
  await setImmediate();
  expect(settled).toBe(false);
  gate.resolve();
  expect((await next).value).toEqual({ type: "text-delta", text: "after" });
});

test("an abort ends the wait at a closed gate with the signal's reason", async () => {
  const stop = new AbortController();
  const reason = new Error("enough");
  const asked = collect(scriptedModel([[{ wait: new Promise(() => undefined) }]]).ask(prompt, stop.signal));
  stop.abort(reason);
  await expect(asked).rejects.toBe(reason);
});
