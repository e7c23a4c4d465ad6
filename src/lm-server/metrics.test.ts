/** The server's figures for monitoring: each client's, for the owner alone. */

import { expect, test } from "vitest";
import { ModelError } from "../protocol/model-events.ts";
import { scriptedModel, type ModelScript } from "../providers/scripted-model.ts";
import { newKey } from "./clients.ts";
import { metricsOf } from "./metrics.ts";
import { askServer, testServer, testToken } from "./testing/server.ts";

const script: ModelScript = (_, round) =>
  round === 1
    ? [{ say: "Hello." }, { usage: { inputTokens: 100, outputTokens: 20 } }]
    : [{ fail: new ModelError("overloaded", "It is overloaded.") }];

test("requests, tokens and dollars of each client are counted since the start, for the owner only", async () => {
  await using server = await testServer(scriptedModel(script), {
    price: (_, { usage }) => usage.inputTokens / 1_000,
  });
  const { key, stored } = newKey("alice", { requestsPerMinute: 2 });
  server.records.addKey(stored);
  const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const body = { model: "m", messages: [{ role: "user", content: "Hi." }] };
  const statuses: number[] = [];
  for (let time = 0; time < 3; time += 1)
    statuses.push((await askServer(server, "/v1/chat/completions", { body, ...as(key) })).status);
  expect(statuses).toEqual([200, 503, 429]);
  expect((await askServer(server, "/v1/models", as("wrong"))).status).toBe(401);
  expect((await askServer(server, "/metrics", as(key))).status).toBe(403);
  expect((await askServer(server, "/metrics", as("wrong"))).status).toBe(401);
  const reply = await askServer(server, "/metrics", as(testToken));
  expect(reply.headers.get("content-type")).toContain("version=0.0.4");
  const text = await reply.text();
  const lines = text.split("\n").filter((line) => line.startsWith("toolwright_lm_"));
  expect(lines).toEqual([
    'toolwright_lm_requests_total{client="alice",outcome="answered"} 1',
    'toolwright_lm_requests_total{client="alice",outcome="failed"} 1',
    'toolwright_lm_requests_total{client="alice",outcome="limited"} 1',
    'toolwright_lm_requests_total{client="alice",outcome="refused"} 1',
    'toolwright_lm_requests_total{client="owner",outcome="answered"} 1',
    "toolwright_lm_unknown_total 2",
    'toolwright_lm_answers_total{client="alice"} 2',
    'toolwright_lm_tokens_total{client="alice",kind="input"} 100',
    'toolwright_lm_tokens_total{client="alice",kind="output"} 20',
    'toolwright_lm_dollars_total{client="alice"} 0.1',
    'toolwright_lm_unpriced_total{client="alice"} 0',
    "toolwright_lm_requests_running 0",
  ]);
  for (const line of text.trim().split("\n"))
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) toolwright_\w+ .+|toolwright_\w+(?:\{[^{}]+\})? [\d.e+-]+)$/u);
  expect(text).not.toContain(key);
});

test("however many clients come and go, the number of labels is limited", () => {
  const metrics = metricsOf();
  const spent = { requests: 1, inputTokens: 1, outputTokens: 1, dollars: 0, unpriced: 0 };
  for (let at = 0; at < 5_000; at += 1) metrics.spent(`client-${at}`, spent);
  const lines = metrics
    .text(0)
    .split("\n")
    .filter((line) => line.startsWith("toolwright_lm_answers_total"));
  expect(lines).toHaveLength(401);
  expect(lines.at(-1)).toBe('toolwright_lm_answers_total{client="others"} 4600');
});
