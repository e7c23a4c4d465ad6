/** Requests to unknown paths are refused as such, in the client's format. */

import { expect, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { askServer, testServer } from "./testing/server.ts";

const said = expect.stringContaining("There is no");

test.each<[string, unknown]>([
  ["/v1/embeddings", { error: { type: "invalid_request_error", code: "unknown_url" } }],
  ["/v1/chat/completion", { error: { type: "invalid_request_error", code: "unknown_url" } }],
  ["/v1/messages/batches", { type: "error", error: { type: "not_found_error" } }],
  ["/v1beta/models/m:embedContent", { error: { code: 404, status: "NOT_FOUND" } }],
  ["/api/embed", { error: expect.stringContaining("nothing at /api/embed") }],
  ["/api/generate", { error: said }],
  ["/v2/rerank", { message: expect.stringMatching(/^There is nothing at \/v2\/rerank/u) }],
])("%s is refused as an unknown path, not as an unknown model", async (path, expected) => {
  await using server = await testServer(scriptedModel([]));
  const reply = await askServer(server, path, { body: { model: "m", prompt: "Hi." } });
  const text = await reply.text();
  expect([reply.status, JSON.parse(text)]).toMatchObject([404, expected]);
  expect(text).not.toMatch(/model_not_found|model not found/u);
  expect(JSON.stringify(server.lines)).not.toContain("unknown-model");
  expect(server.lines).toMatchObject([
    { path, status: 404, error: expect.stringMatching(/nothing at|unknown-path/u) },
  ]);
});

test("a model that is not served is refused as an unknown model", async () => {
  await using server = await testServer(scriptedModel([]), { fallback: undefined });
  const reply = await askServer(server, "/v1/chat/completions", {
    body: { model: "m", messages: [{ role: "user", content: "Hi." }] },
  });
  expect([reply.status, await reply.json()]).toMatchObject([404, { error: { code: "model_not_found" } }]);
  expect(server.lines).toMatchObject([{ error: "unknown-model" }]);
});

test("a wrong method is refused with the allowed one", async () => {
  await using server = await testServer(scriptedModel([]));
  const post = await askServer(server, "/v1/messages");
  expect([post.status, post.headers.get("allow")]).toEqual([405, "POST"]);
  const get = await askServer(server, "/api/tags", { body: {} });
  expect([get.status, get.headers.get("allow")]).toEqual([405, "GET"]);
});

test.each([
  ["/v1/chat/completions/", { messages: [{ role: "user", content: "Hi." }] }],
  ["/v1/v1/chat/completions", { messages: [{ role: "user", content: "Hi." }] }],
  ["/v1/v1/messages/", { max_tokens: 9, messages: [{ role: "user", content: "Hi." }] }],
  ["/v1beta/v1beta/models/m:generateContent", { contents: [{ parts: [{ text: "Hi." }] }] }],
  ["/api/api/chat", { messages: [{ role: "user", content: "Hi." }], stream: false }],
])("%s is answered: a slash or a prefix too much is forgiven", async (path, body) => {
  await using server = await testServer(scriptedModel([[{ say: "Hello." }]]));
  const reply = await askServer(server, path, { body: { model: "m", ...body } });
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining("Hello.")]);
});

test("Ollama's examples work, whose bodies come under the content type of a form", async () => {
  await using server = await testServer(scriptedModel([[{ say: "Hello." }]]));
  const body = { model: "m", messages: [{ role: "user", content: "Hi." }], stream: false };
  const reply = await askServer(server, "/api/chat", {
    body,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining("Hello.")]);
});

test("a model's name and abilities are told to Ollama's clients", async () => {
  const model = scriptedModel([]);
  const shownOf = async (more: object): Promise<unknown> => {
    await using server = await testServer({ ...model, ...more });
    return (await askServer(server, "/api/show", { body: { model: "m" } })).json();
  };
  expect(await shownOf({ thinks: true })).toMatchObject({
    capabilities: ["completion", "tools", "vision", "thinking"],
    model_info: { "general.basename": "m" },
  });
  expect(await shownOf({ sees: false })).toMatchObject({ capabilities: ["completion", "tools"] });
});
