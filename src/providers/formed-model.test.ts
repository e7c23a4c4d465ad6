import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import type { JsonObject } from "../base/json.ts";
import { hermes } from "../dialects/hermes.ts";
import { ModelError } from "../protocol/model-events.ts";
import { formedModel } from "./formed-model.ts";
import type { Prompt } from "./provider.ts";
import { scriptedModel } from "./scripted-model.ts";
import { taughtModel } from "./taught-model.ts";

const schema: JsonObject = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
const tools = [{ name: "look", description: "", schema: { type: "object" } }];
const prompt: Prompt = {
  system: "",
  messages: [{ role: "user", content: [{ type: "text", text: "Go." }] }],
  tools: [],
  format: { schema },
};
const { signal } = new AbortController();

async function constraintFor(asked: Prompt, options: Parameters<typeof formedModel>[1], isTaught = false) {
  const model = scriptedModel(() => [{ say: '{"a": 1}' }]);
  const formed = formedModel(model, options);
  await collect((isTaught ? taughtModel(formed, hermes) : formed).ask(asked, signal));
  return model.prompts[0]?.constraint;
}

test("a server that holds to schemas gets that of an answer, whether for whole answers or strict calls", async () => {
  const held = { type: "schema", schema };
  expect(await constraintFor(prompt, { constraints: ["strict"] })).toEqual(held);
  expect(await constraintFor({ ...prompt, tools, toolChoice: "none" }, { constraints: ["schema"] })).toEqual(
    held,
  );
  expect(await constraintFor(prompt, { constraints: ["schema"] }, true)).toEqual(held);
});

test("where a server takes grammars it gets one, if that says all of the schema and the model does not think first", async () => {
  const kinds = { constraints: ["grammar", "schema"] } as const;
  const kindFor = async (one: JsonObject, thinks = false) =>
    (await constraintFor({ ...prompt, format: { schema: one } }, { ...kinds, thinks }))?.type;
  expect(await kindFor(schema)).toBe("grammar");
  expect(await kindFor(schema, true)).toBe("schema");
  expect(await kindFor({ type: "string", format: "date" })).toBe("grammar");
  expect(await kindFor({ type: "string", pattern: "^a+$" })).toBe("grammar");
  const beyond: JsonObject[] = [
    { pattern: "^(?=a)" },
    { pattern: "^a+$", maxLength: 3 },
    { format: "regex" },
    { not: { const: "a" } },
  ];
  for (const one of beyond) expect(await kindFor({ type: "string", ...one })).toBe("schema");
});

test("nothing is sent to other servers, without a schema, where it is switched off, or where the answer may be a call", async () => {
  expect(await constraintFor(prompt, { constraints: ["grammar"] })).toBeUndefined();
  expect(await constraintFor(prompt, {})).toBeUndefined();
  expect(await constraintFor(prompt, { constraints: ["schema"], choice: "off" })).toBeUndefined();
  expect(await constraintFor({ ...prompt, format: {} }, { constraints: ["schema"] })).toBeUndefined();
  expect(await constraintFor({ ...prompt, tools }, { constraints: ["schema"] })).toBeUndefined();
  expect(await constraintFor({ ...prompt, tools }, { constraints: ["schema"] }, true)).toBeUndefined();
});

test("a schema that the server refuses is left out of that answer, which is told; the next one is tried", async () => {
  const refusal = new ModelError("bad-request", "Invalid schema (400).", { status: 400 });
  const model = scriptedModel(({ constraint }) => (constraint ? [{ fail: refusal }] : [{ say: "{}" }]));
  const formed = formedModel(model, { constraints: ["schema"] });
  for (const _ of [1, 2]) {
    const events = await collect(formed.ask(prompt, signal));
    expect(events.flatMap((event) => (event.type === "notice" ? [event.code] : []))).toEqual([
      "constraint-dropped",
    ]);
  }
  expect(model.prompts.map(({ constraint }) => constraint !== undefined)).toEqual([true, false, true, false]);
});
