import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import { hermes } from "../dialects/hermes.ts";
import { jsonAnswer } from "../dialects/json-answer.ts";
import type { Constraint } from "../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import { heldModel } from "./held-model.ts";
import type { Model, Prompt } from "./provider.ts";
import { scriptedModel, type ScriptedAnswer } from "./scripted-model.ts";
import { strictModel } from "./strict-model.ts";
import { taughtModel } from "./taught-model.ts";
import { chosenWay, waysOf } from "./ways.ts";

const { signal } = new AbortController();
const prompt: Prompt = {
  system: "",
  messages: [{ role: "user", content: [{ type: "text", text: "Go." }] }],
  tools: [
    {
      name: "look",
      description: "Looks.",
      schema: {
        type: "object",
        properties: { path: { type: "string" }, line: { type: "integer" } },
        required: ["path"],
      },
    },
  ],
};
const constraint: Constraint = { type: "schema", schema: {} };
const refused = new ModelError("bad-request", "The provider refused the request (400): unknown field.", {
  status: 400,
});

/** A model that answers by script, and the prompts that it got. */
function scripted(answers: readonly (ScriptedAnswer | ((prompt: Prompt) => ScriptedAnswer))[]) {
  const asked: Prompt[] = [];
  let at = -1;
  const model = scriptedModel((one) => {
    asked.push(one);
    at += 1;
    const answer = answers[Math.min(at, answers.length - 1)] ?? [];
    return typeof answer === "function" ? answer(one) : answer;
  });
  return { model, asked };
}

const refusing = ({ constraint: held }: Prompt): ScriptedAnswer =>
  held ? [{ fail: refused }] : [{ say: "Hi." }];
const ask = (model: Model, asked: Prompt = prompt): Promise<ModelEvent[]> =>
  collect(model.ask(asked, signal));
const notices = (events: readonly ModelEvent[]): string[] =>
  events.flatMap((event) => (event.type === "notice" ? [`${event.code}: ${event.detail}`] : []));

test("a server that refuses the form is asked without it at once; that is told once and remembered", async () => {
  const { model, asked } = scripted([refusing]);
  const held = heldModel(model);
  const first = await ask(held, { ...prompt, constraint });
  expect(notices(first)).toEqual([
    "constraint-dropped: The server does not hold the model to the form of its calls (The provider refused the request (400): unknown field): it is asked without that.",
  ]);
  expect(first.filter(({ type }) => type === "text-delta")).toEqual([{ type: "text-delta", text: "Hi." }]);
  expect(notices(await ask(held, { ...prompt, constraint }))).toEqual([]);
  expect(asked.map((one) => one.constraint)).toEqual([constraint, undefined, undefined]);
});

test("a request that is refused without the form as well tells nothing about it", async () => {
  const { model, asked } = scripted([[{ fail: refused }], [{ fail: refused }], [{ say: "Hi." }]]);
  const held = heldModel(model);
  await expect(ask(held, { ...prompt, constraint })).rejects.toThrow(refused.message);
  expect(notices(await ask(held, { ...prompt, constraint }))).toEqual([]);
  expect(asked.map((one) => one.constraint)).toEqual([constraint, undefined, constraint]);
});

test("other failures, and those in the middle of an answer, have nothing to do with it", async () => {
  const busy = new ModelError("overloaded", "Busy.", { status: 503 });
  for (const answer of [[{ fail: busy }], [{ say: "H" }, { fail: refused }]] satisfies ScriptedAnswer[]) {
    const { model, asked } = scripted([answer]);
    await expect(ask(heldModel(model), { ...prompt, constraint })).rejects.toThrow(ModelError);
    expect(asked).toHaveLength(1);
  }
});

test("a model that is taught a dialect is held to it only while tools are offered", async () => {
  const { model, asked } = scripted([[{ say: "Hi." }]]);
  const taught = taughtModel(model, hermes, { held: "grammar" });
  await ask(taught);
  await ask(taught, { ...prompt, tools: [] });
  await ask(taught, { ...prompt, toolChoice: "none" });
  expect(asked.map((one) => one.constraint?.type)).toEqual(["grammar", undefined, undefined]);
});

test("a whole answer by schema: its text and its calls are told", async () => {
  const text = '{"say": "I look.", "calls": [{"name": "look", "arguments": {"path": "a"}}]}';
  const { model, asked } = scripted([[{ say: text }]]);
  const events = await ask(taughtModel(model, jsonAnswer, { held: "schema", newId: () => "call_1" }));
  expect(asked[0]?.constraint).toMatchObject({ type: "schema", schema: { required: ["say", "calls"] } });
  expect(events.filter(({ type }) => type === "text-delta" || type === "call-end")).toEqual([
    { type: "text-delta", text: "I look." },
    { type: "call-end", call: { id: "call_1", name: "look", input: { path: "a" }, source: "json-answer" } },
  ]);
});

test("strict native calls: the schemas are as the provider demands, and nulls are what was left out", async () => {
  const { model, asked } = scripted([[{ call: "look", with: { path: "a", line: null } }]]);
  const events = await ask(strictModel(model, "openai-responses"));
  expect(asked[0]?.constraint).toMatchObject({
    type: "strict",
    schemas: { look: { required: ["path", "line"] } },
  });
  expect(events.flatMap((event) => (event.type === "call-end" ? [event.call.input] : []))).toEqual([
    { path: "a" },
  ]);
  await ask(strictModel(model, "gemini"));
  expect(asked[1]?.constraint).toEqual({ type: "strict", schemas: {} });
});

test("the ways: a call that the server holds comes first, a whole answer second, unless it is switched off or the server is unknown", () => {
  const { model } = scripted([[]]);
  const names = (
    constraints: Parameters<typeof waysOf>[1]["constraints"],
    more: object = {},
    tools = false,
  ) =>
    waysOf(model, { model: "m", capabilities: { tools }, constraints, ...more }).ways.map(({ name }) => name);
  expect(names(undefined)).toEqual(["hermes", "json-fence"]);
  expect(names(["grammar", "schema"])).toEqual(["hermes+tags", "json-answer+schema", "hermes", "json-fence"]);
  expect(names(["schema"])).toEqual(["hermes", "json-answer+schema", "json-fence"]);
  expect(names(["schema"], { model: "qwen3-coder" })).toEqual([
    "qwen-xml",
    "json-answer+schema",
    "hermes",
    "json-fence",
  ]);
  expect(names(["structural-tags"], { model: "qwen3-coder" }).slice(0, 2)).toEqual([
    "qwen-xml+tags",
    "qwen-xml",
  ]);
  expect(names(["grammar", "schema"], { choice: "off" })).toEqual(["hermes", "json-fence"]);
  expect(names(["strict"], {}, true)).toEqual(["native", "hermes", "json-fence", "native+strict"]);
  expect(names(["strict"], { choice: "on" }, true).slice(0, 2)).toEqual(["native+strict", "native"]);
  const chosen = (choice: "auto" | "off") =>
    chosenWay(model, hermes, { constraints: ["grammar"], choice }).ways;
  expect(chosen("auto").map(({ name }) => name)).toEqual(["hermes+tags", "hermes"]);
  expect(chosen("off").map(({ name }) => name)).toEqual(["hermes"]);
});

test("a whole answer is held by a grammar where the server takes one, and by its schema where the model may think first", async () => {
  const kindOf = async (thinks: boolean) => {
    const { model, asked } = scripted([[]]);
    const [way] = chosenWay(model, jsonAnswer, { constraints: ["grammar", "schema"], thinks }).ways;
    if (way) await ask(way.model);
    return [way?.name, asked[0]?.constraint?.type];
  };
  expect(await kindOf(false)).toEqual(["json-answer+schema", "grammar"]);
  expect(await kindOf(true)).toEqual(["json-answer+schema", "schema"]);
});
