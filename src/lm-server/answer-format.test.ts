/** A client that requests JSON gets JSON, even from a model that was only instructed to write it. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import type { Prompt } from "../providers/provider.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { withFormat, withoutFence } from "./answer-format.ts";
import { askServer, testServer } from "./testing/server.ts";

const prompt: Prompt = { system: "Be brief.", messages: [], tools: [] };
const schema = { type: "object", properties: { a: { type: "number" } } };

test("the JSON instruction is appended to the client's system prompt", () => {
  expect(withFormat(prompt, { schema }).system).toMatch(
    /^Be brief\.\n\nAnswer with one JSON value that fits .+\n\n\{"type":"object".+\}$/s,
  );
  const tools = [{ name: "f", description: "", schema: {} }];
  expect(withFormat({ ...prompt, tools }, {}).system).toMatch(
    /When you call no tool, answer with one JSON object/,
  );
});

async function unfenced(pieces: readonly string[]): Promise<string> {
  async function* events(): AsyncGenerator<ModelEvent> {
    for (const text of pieces) yield { type: "text-delta", text };
    yield { type: "answer-end", reason: "stop" };
  }
  const all = await collect(withoutFence(events()));
  expect(all.at(-1)?.type).toBe("answer-end");
  return all.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
}

const json = '{"a": "``` in it", "b": [1]}';
const pairs: [string, string][] = [
  [json, json],
  [`\`\`\`json\n${json}\n\`\`\``, json],
  [`\n\`\`\`\n${json}\n\`\`\`\n\n`, json],
  [`  ${json}\n`, `  ${json}\n`],
  [`\`\`\`json\n${json}`, json],
  ["", ""],
  ["``", "``"],
];

test("a code fence around the JSON is removed, however the text is split", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...pairs),
      fc.integer({ min: 1, max: 9 }),
      async ([said, left], size) => {
        const pieces = said.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        expect(await unfenced(pieces)).toBe(left);
      },
    ),
  );
});

const strict = { ...schema, required: ["a"], additionalProperties: false };

test.each<[string, object, string | null]>([
  ['{"a": 1}', { schema: strict }, null],
  ['{"a": "one"}', { schema: strict }, 'noted="answer-off-schema"'],
  ['{"a": 1', { schema: strict }, 'noted="answer-not-json"'],
  ["{}", { schema: strict }, 'noted="answer-off-schema"'],
  ["[1]", { schema: strict }, 'noted="answer-off-schema"'],
  ["Here it is: 1", { schema: strict }, 'noted="answer-not-json"'],
  ["", { schema: strict }, 'noted="answer-not-json"'],
  ['{"a": "x"}', { schema: { type: "object", properties: { a: { pattern: "(" } } } }, null],
  ["[1]", { schema: { type: "array" } }, null],
])("the header reports an answer that does not match the requested format: %s", async (said, json, told) => {
  await using server = await testServer(scriptedModel(() => [{ say: said }]));
  const messages = [{ role: "user", content: "Hi." }];
  const format = { type: "json_schema", json_schema: { name: "x", ...json } };
  const body = { model: "m", messages, response_format: format };
  const reply = await askServer(server, "/v1/chat/completions", { body });
  expect(await reply.text()).toContain(JSON.stringify(said).slice(1, -1));
  expect(reply.headers.get("x-toolwright-repairs")).toBe(told);
  const objects = { ...body, response_format: { type: "json_object" } };
  const plain = await askServer(server, "/v1/chat/completions", { body: objects });
  const isObject = /^\{.*\}$/.test(said);
  const fault = said.startsWith("[") ? "answer-off-schema" : "answer-not-json";
  expect(plain.headers.get("x-toolwright-repairs")).toBe(isObject ? null : `noted="${fault}"`);
});

test.each<[string, string]>([
  ['{"a": "1"}', '{"a":1}'],
  ["{'a': 1,}", '{"a":1}'],
  ["```json\n{a: 1,}\n```", '{"a":1}'],
])("an answer that is sent whole is mended if it can be read in one way: %s", async (said, mended) => {
  await using server = await testServer(scriptedModel(() => [{ say: said }]));
  const messages = [{ role: "user", content: "Hi." }];
  const format = { type: "json_schema", json_schema: { name: "x", schema: strict } };
  const body = { model: "m", messages, response_format: format };
  const whole = await askServer(server, "/v1/chat/completions", { body });
  expect(await whole.json()).toMatchObject({ choices: [{ message: { content: mended } }] });
  expect(whole.headers.get("x-toolwright-repairs")).toBe('noted="answer-mended"');
  const streamed = await askServer(server, "/v1/chat/completions", { body: { ...body, stream: true } });
  const inner = said.replaceAll(/^```json\n|\n```$/g, "");
  expect(await streamed.text()).toContain(JSON.stringify(inner).slice(1, -1));
});

test("an answer that calls a tool is not checked against the format", async () => {
  await using server = await testServer(
    scriptedModel(() => [{ say: "I look." }, { call: "look", with: {} }]),
  );
  const messages = [{ role: "user", content: "Hi." }];
  const tools = [{ type: "function", function: { name: "look", parameters: { type: "object" } } }];
  const format = { type: "json_object" };
  const body = { model: "m", messages, tools, response_format: format };
  const reply = await askServer(server, "/v1/chat/completions", { body });
  expect(await reply.text()).toContain('"look"');
  expect(reply.headers.get("x-toolwright-repairs")).toBeNull();
});

test("each format's way to request JSON reaches the model, and the code fence is removed from the reply", async () => {
  const model = scriptedModel(() => [{ say: '```json\n{"a": 1}\n```' }], { pieces: 3 });
  await using server = await testServer(model);
  const messages = [{ role: "user", content: "Hi." }];
  const contents = [{ role: "user", parts: [{ text: "Hi." }] }];
  const asks: [string, object][] = [
    [
      "/v1/chat/completions",
      { model: "m", messages, response_format: { type: "json_schema", json_schema: { name: "x", schema } } },
    ],
    [
      "/v1/responses",
      { model: "m", input: "Hi.", text: { format: { type: "json_schema", name: "x", schema } } },
    ],
    ["/v1/messages", { model: "m", messages, output_config: { format: { type: "json_schema", schema } } }],
    ["/api/chat", { model: "m", messages, stream: false, format: schema }],
    ["/v1beta/models/m:generateContent", { contents, generationConfig: { responseSchema: schema } }],
    ["/v2/chat", { model: "m", messages, response_format: { type: "json_object", schema } }],
  ];
  for (const [path, body] of asks) {
    const reply = await (await askServer(server, path, { body })).text();
    expect([path, reply]).toEqual([path, expect.stringContaining('{\\"a\\": 1}')]);
    expect([path, reply.includes("```")]).toEqual([path, false]);
    expect([path, model.prompts.at(-1)?.system]).toEqual([path, expect.stringContaining('"properties"')]);
  }
  const plain = { model: "m", messages, response_format: { type: "text" } };
  await askServer(server, "/v1/chat/completions", { body: plain });
  expect(model.prompts.at(-1)?.system).toBe("");
});
