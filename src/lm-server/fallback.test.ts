/** When a model fails before it says anything, the next one of its name answers, and the client is told which. */

import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { ModelError, type ModelErrorKind } from "../protocol/model-events.ts";
import { scriptedModel, type ModelScript, type ScriptedAnswer } from "../providers/scripted-model.ts";
import type { NameTableRow } from "./names.ts";
import { askServer, testServer, testToken } from "./testing/server.ts";

const fails = (
  kind: ModelErrorKind,
  more: ConstructorParameters<typeof ModelError>[2] = {},
): ScriptedAnswer => [{ fail: new ModelError(kind, `It failed: ${kind}.`, more) }];
const usage = { inputTokens: 100, outputTokens: 20 };

/** A server with these models; one without a script cannot be opened. */
async function served(scripts: Record<string, ModelScript | undefined>, row: Partial<NameTableRow> = {}) {
  const models = new Map(
    Object.entries(scripts).flatMap(([name, script]) =>
      script ? [[name, scriptedModel(script, { name })]] : [],
    ),
  );
  const [model = "", ...fallback] = Object.keys(scripts);
  const server = await testServer(scriptedModel([], { name: "a/unused" }), {
    names: { m: { model, fallback, ...row } },
    open: async (name) => {
      const value = models.get(name);
      if (!value) throw new ModelError("network", "Nothing answers.");
      return { ok: true, value };
    },
    price: (name, { usage: { inputTokens } }) => (name === "a/paid" ? inputTokens : 0),
  });
  const ask = (stream: boolean) =>
    askServer(server, "/v1/chat/completions", {
      body: { model: "m", stream, messages: [{ role: "user", content: "Hi." }] },
    });
  return { server, models, ask, [Symbol.asyncDispose]: () => server.close() };
}

const second: ModelScript = () => [{ say: "From the second." }, { usage }];

test("each passing failure before the first word leads to the next model, which is named to client and log", async () => {
  for (const kind of ["network", "server", "overloaded", "timeout", "rate-limit"] as const)
    for (const stream of [false, true]) {
      await using place = await served({ "a/first": () => fails(kind), "b/second": second, "c/third": [] });
      const reply = await place.ask(stream);
      expect([kind, reply.status, reply.headers.get("x-toolwright-model")]).toEqual([kind, 200, "b/second"]);
      expect(await reply.text()).toContain("From the second.");
      expect(place.server.lines).toMatchObject([
        { asked: "m", model: "b/second", left: [`a/first: ${kind}`], usage },
      ]);
      expect(place.server.records.days()).toMatchObject([
        { requests: 1, inputTokens: 100, outputTokens: 20 },
      ]);
    }
});

test("a failure that another model would share, or of the last model, is the client's to hear", async () => {
  for (const kind of ["auth", "bad-request", "context-overflow", "malformed"] as const) {
    await using place = await served({ "a/first": () => fails(kind), "b/second": second });
    expect((await place.ask(false)).status).toBeGreaterThanOrEqual(400);
    expect(place.models.get("b/second")?.prompts).toEqual([]);
  }
  await using place = await served({
    "a/first": () => fails("network"),
    "b/second": () => fails("overloaded"),
  });
  const reply = await place.ask(true);
  expect([reply.status, reply.headers.get("x-toolwright-model")]).toEqual([503, null]);
  expect(place.server.lines).toMatchObject([
    { error: "overloaded", model: "b/second", left: ["a/first: network"] },
  ]);
});

test("once something was said, no other model is asked", async () => {
  for (const said of [{ say: "Half a" }, { think: "Hm" }, { call: "read", with: {} }]) {
    await using place = await served({ "a/first": () => [said, ...fails("overloaded")], "b/second": second });
    const reply = await place.ask(true);
    expect(reply.headers.get("x-toolwright-model")).toBe("a/first");
    expect(await reply.text()).not.toContain("From the second.");
    expect(place.models.get("b/second")?.prompts).toEqual([]);
  }
});

test("a model that cannot be opened is passed over, and if none can, the client hears of it", async () => {
  await using place = await served({ "a/first": undefined, "b/second": undefined, "c/third": second });
  expect(await (await place.ask(false)).text()).toContain("From the second.");
  await using none = await served({ "a/first": undefined, "b/second": undefined });
  expect((await none.ask(false)).status).toBeGreaterThanOrEqual(500);
  await using late = await served({
    "a/first": () => fails("server"),
    "b/second": undefined,
    "c/third": second,
  });
  expect(await (await late.ask(false)).text()).toContain("From the second.");
});

test("a provider that asks for a short wait gets it once, and a longer one is not waited for", async () => {
  const busy = fails("rate-limit", { retryAfter: 20 });
  await using patient = await served({
    "a/first": (_, round) => (round === 1 ? busy : [{ say: "After all." }]),
    "b/second": second,
  });
  expect(await (await patient.ask(false)).text()).toContain("After all.");
  await using again = await served({ "a/first": () => busy, "b/second": second });
  expect(await (await again.ask(false)).text()).toContain("From the second.");
  expect(again.models.get("a/first")?.prompts).toHaveLength(2);
  await using long = await served({
    "a/first": () => fails("rate-limit", { retryAfter: 60_000 }),
    "b/second": second,
  });
  expect(await (await long.ask(false)).text()).toContain("From the second.");
  expect(long.models.get("a/first")?.prompts).toHaveLength(1);
});

test("the model that answered is asked about its own broken call, and only it is paid", async () => {
  const tools = [
    {
      type: "function",
      function: {
        name: "read",
        parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      },
    },
  ];
  await using place = await served({
    "a/paid": () => fails("overloaded"),
    "b/second": (_, round) => [{ call: "read", with: round === 1 ? { n: "many" } : { n: 3 } }, { usage }],
  });
  const reply = await askServer(place.server, "/v1/chat/completions", {
    body: { model: "m", tools, messages: [{ role: "user", content: "Hi." }] },
  });
  expect(await reply.text()).toContain(String.raw`{\"n\":3}`);
  expect(place.models.get("a/paid")?.prompts).toHaveLength(1);
  expect(place.models.get("b/second")?.prompts).toHaveLength(2);
  expect(place.server.records.days()).toMatchObject([
    { requests: 1, inputTokens: 200, outputTokens: 40, dollars: 0 },
  ]);
});

test("the vendors' own clients get one answer, without a retry of theirs", async () => {
  await using place = await served({ "a/first": () => fails("overloaded"), "b/second": second });
  const { url } = place.server;
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: testToken, maxRetries: 0 });
  const stream = await openai.responses.create({ model: "m", input: "Hi.", stream: true });
  const types: string[] = [];
  for await (const event of stream) types.push(event.type);
  expect(types.filter((type) => type === "response.created" || type === "response.completed")).toHaveLength(
    2,
  );
  const anthropic = new Anthropic({ baseURL: url, apiKey: testToken, maxRetries: 0 });
  const message = await anthropic.messages
    .stream({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hi." }] })
    .finalMessage();
  expect(message.content).toMatchObject([{ type: "text", text: "From the second." }]);
});

test("a name with one model has no such header", async () => {
  await using place = await served({ "a/first": second });
  expect((await place.ask(true)).headers.get("x-toolwright-model")).toBeNull();
});
