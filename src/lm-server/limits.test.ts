/** Each client is held to its own models and limits, and told so as its vendor would. */

import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { ModelError, type Usage } from "../protocol/model-events.ts";
import { scriptedModel, type ModelScript } from "../providers/scripted-model.ts";
import { newKey } from "./clients.ts";
import { isClientName, type ClientLimits } from "./limits.ts";
import type { LmServerOptions } from "./server.ts";
import { askServer, testServer, testToken } from "./testing/server.ts";

const noon = Date.parse("2026-11-29T12:00:00Z");
const hour = 60 * 60;
const usage = { inputTokens: 100, outputTokens: 20 };
const hello = { model: "m", messages: [{ role: "user", content: "Hi." }] };
/** A thousandth of a dollar for each token. */
const price = (_: string, { usage: { inputTokens, outputTokens } }: { usage: Usage }) =>
  (inputTokens + outputTokens) / 1_000;

async function served(
  limits: ClientLimits,
  script: ModelScript = () => [{ say: "Hello." }, { usage }],
  more: Partial<LmServerOptions> = {},
) {
  const clock = { now: noon };
  const model = scriptedModel(script);
  const server = await testServer(model, { price, now: () => clock.now, ...more });
  const keyOf = (name: string, own: ClientLimits): string => {
    const { key, stored } = newKey(name, own);
    server.records.addKey(stored);
    return key;
  };
  const key = keyOf("alice", limits);
  const ask = (body: object = {}, as = key) =>
    askServer(server, "/v1/chat/completions", {
      body: { ...hello, ...body },
      headers: { authorization: `Bearer ${as}` },
    });
  return { server, model, key, keyOf, clock, ask, [Symbol.asyncDispose]: () => server.close() };
}

/** Status, seconds to wait, whether to try again, and the words. */
async function refusal(reply: Response): Promise<unknown[]> {
  const { headers } = reply;
  return [reply.status, headers.get("retry-after"), headers.get("x-should-retry"), await reply.text()];
}

test("a client's key is accepted wherever the server's token is, and no longer once it is revoked", async () => {
  await using place = await served({});
  const { server, key, ask } = place;
  for (const headers of [{ authorization: `Bearer ${key}` }, { "x-api-key": key }, { "x-goog-api-key": key }])
    expect((await fetch(`${server.url}/v1/models`, { headers })).status).toBe(200);
  for (const path of [`/v1/models?key=${key}`, `/k/${key}/v1/models`])
    expect((await fetch(server.url + path)).status).toBe(200);
  expect((await ask({}, testToken)).status).toBe(200);
  expect((await ask({}, `${key}0`)).status).toBe(401);
  expect((await ask({}, server.records.keys()[0]?.hash)).status).toBe(401);
  await ask();
  server.records.removeKey("alice");
  expect((await ask()).status).toBe(401);
  expect(server.lines.map(({ client }) => client)).toContain("alice");
  expect(JSON.stringify(server.lines)).not.toContain(key);
  expect(JSON.stringify(server.records.keys())).not.toContain(key.slice(3));
});

test("a client is offered its models only, and gets no other, whatever the name leads to", async () => {
  await using place = await served({ models: ["small", "Claude-*"] }, undefined, {
    names: { small: { model: "a/small" }, big: { model: "a/big" } },
  });
  const { server, key, ask } = place;
  const names = async (as: string): Promise<unknown> => {
    const reply = await fetch(`${server.url}/api/tags`, { headers: { authorization: `Bearer ${as}` } });
    const { models }: { models: { name: string }[] } = JSON.parse(await reply.text());
    return models.map(({ name }) => name);
  };
  expect(await names(key)).toEqual(["small"]);
  expect(await names(testToken)).toHaveLength(5);
  for (const model of ["small", "small:latest", "SMALL", "claude-opus-9"])
    expect([model, (await ask({ model })).status]).toEqual([model, 200]);
  for (const model of ["big", "a/small", "a/big", "m", "smaller", "my-claude-x"])
    expect([model, (await ask({ model })).status]).toEqual([model, 404]);
  expect(place.model.prompts).toHaveLength(4);
  const counted = await askServer(server, "/v1/messages/count_tokens", {
    body: { ...hello, model: "big" },
    headers: { authorization: `Bearer ${key}` },
  });
  expect(counted.status).toBe(404);
});

test("requests beyond those of a minute wait until the first of them is a minute old", async () => {
  await using place = await served({ requestsPerMinute: 2 });
  const { ask, clock } = place;
  expect((await ask()).status).toBe(200);
  clock.now += 20_000;
  expect((await ask()).status).toBe(200);
  expect(await refusal(await ask())).toMatchObject([
    429,
    "40",
    null,
    expect.stringContaining("2 requests a minute"),
  ]);
  expect((await ask({}, testToken)).status).toBe(200);
  clock.now += 40_000;
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(429);
});

test("tokens and dollars are limited by day and month, with what was cut off and what is being answered", async () => {
  const cases: [ClientLimits, string, number][] = [
    [{ tokensPerDay: 250 }, "250 tokens a day", 12 * hour],
    [{ tokensPerMonth: 250 }, "250 tokens a month", 36 * hour],
    [{ dollarsPerDay: 0.25 }, "$0.25 a day", 12 * hour],
    [{ dollarsPerMonth: 0.25 }, "$0.25 a month", 36 * hour],
  ];
  for (const [limits, words, seconds] of cases) {
    await using place = await served(limits, undefined, { count: () => 100 });
    const { ask, clock } = place;
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    expect(await refusal(await ask())).toMatchObject([
      429,
      String(seconds),
      "false",
      expect.stringContaining(words),
    ]);
    clock.now += (seconds - 1) * 1_000;
    expect((await ask()).status).toBe(429);
    clock.now += 1_000;
    expect((await ask()).status).toBe(200);
    expect(place.model.prompts).toHaveLength(3);
  }
});

test("an answer counts while it runs, in full when its client leaves, and not when the model failed", async () => {
  const gate = Promise.withResolvers<undefined>();
  const answers: ModelScript = (_, round) => {
    if (round === 1) return [{ say: "x".repeat(400) }, { wait: gate.promise }, { usage }];
    return [{ fail: new ModelError("overloaded", "The model is overloaded.") }];
  };
  await using place = await served({ tokensPerDay: 150 }, answers, { count: () => 100 });
  const { ask, server } = place;
  const leaving = new AbortController();
  const running = await askServer(server, "/v1/chat/completions", {
    body: { ...hello, stream: true },
    headers: { authorization: `Bearer ${place.key}` },
    signal: leaving.signal,
  });
  expect((await ask()).status).toBe(429);
  expect(server.records.days()).toMatchObject([
    { client: "alice", requests: 1, inputTokens: 100, outputTokens: 0 },
  ]);
  leaving.abort();
  await running.text().catch(() => undefined);
  await expect.poll(() => server.records.days()).toMatchObject([{ inputTokens: 100, outputTokens: 100 }]);
  expect((await ask({}, testToken)).status).toBe(503);
  expect(server.records.days()).toMatchObject([
    { client: "alice", requests: 1 },
    { client: "owner", requests: 1, inputTokens: 0, outputTokens: 0, dollars: 0 },
  ]);
});

test("answers at the same time are limited, and a place is free again when one ends", async () => {
  const gate = Promise.withResolvers<undefined>();
  const answers: ModelScript = (_, round) =>
    round === 1 ? [{ wait: gate.promise }, { say: "Late." }] : [{ say: "Hello." }];
  await using place = await served({ streams: 1 }, answers);
  const first = place.ask({ stream: true });
  await expect.poll(() => place.model.prompts.length).toBe(1);
  expect(await refusal(await place.ask())).toMatchObject([
    429,
    "1",
    null,
    expect.stringContaining("1 answers at once"),
  ]);
  gate.resolve(undefined);
  expect(await (await first).text()).toContain("Late.");
  await expect.poll(async () => (await place.ask()).status).toBe(200);
});

test("with a limit in dollars a model without a known price is refused, in words", async () => {
  await using place = await served({ dollarsPerDay: 5 }, undefined, { price: () => undefined });
  expect(await refusal(await place.ask())).toMatchObject([
    400,
    null,
    null,
    expect.stringContaining('price of scripted/model is not known: it is set under \\"prices\\"'),
  ]);
  expect((await place.ask({}, testToken)).status).toBe(200);
  expect(place.server.records.days()).toMatchObject([{ client: "owner", dollars: 0, unpriced: 1 }]);
});

test("the configuration's limits count before those of the key, and limit the owner as well", async () => {
  await using place = await served({ requestsPerMinute: 5, models: ["m"] }, undefined, {
    limits: { alice: { requestsPerMinute: 1 }, owner: { requestsPerMinute: 2 } },
  });
  const statuses = async (key: string) => [
    (await place.ask({}, key)).status,
    (await place.ask({}, key)).status,
    (await place.ask({}, key)).status,
  ];
  expect(await statuses(place.key)).toEqual([200, 429, 429]);
  expect(await statuses(testToken)).toEqual([200, 200, 429]);
  expect((await place.ask({ model: "n" })).status).not.toBe(200);
});

test("each vendor's client reports the limit as its own vendor's", async () => {
  await using place = await served({ requestsPerMinute: 1 });
  const { server, key, ask } = place;
  await ask();
  const openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: key, maxRetries: 0 });
  await expect(
    openai.chat.completions.create({ model: "m", messages: [{ role: "user", content: "Hi." }] }),
  ).rejects.toThrow(OpenAI.RateLimitError);
  await expect(openai.responses.create({ model: "m", input: "Hi." })).rejects.toThrow(OpenAI.RateLimitError);
  const anthropic = new Anthropic({ baseURL: server.url, apiKey: key, maxRetries: 0 });
  await expect(
    anthropic.messages.create({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hi." }] }),
  ).rejects.toThrow(Anthropic.RateLimitError);
  const others: [string, object][] = [
    ["/api/chat", hello],
    ["/v2/chat", hello],
    ["/v1beta/models/m:generateContent", { contents: [{ role: "user", parts: [{ text: "Hi." }] }] }],
  ];
  for (const [path, body] of others) {
    const reply = await askServer(server, path, { body, headers: { authorization: `Bearer ${key}` } });
    expect([path, ...(await refusal(reply))]).toMatchObject([
      path,
      429,
      "60",
      null,
      expect.stringContaining("alice"),
    ]);
  }
});

test("a client's name is short, and safe on a command line and as a label", () => {
  for (const name of ["a", "alice", "ci-2", "me@box.example", "x".repeat(40)])
    expect(isClientName(name)).toBe(true);
  for (const name of ["", "owner", "A", "-a", ".a", "a b", 'a"', "a\n", "x".repeat(41)])
    expect(isClientName(name)).toBe(false);
});
