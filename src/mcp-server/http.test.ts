import { request } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { otherProgramBounds } from "../base/bounds.ts";
import { type TestPlace, testPlace } from "../cli/serving/testing/mcp-place.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { mcpServerBounds } from "./bounds.ts";

let place: TestPlace;
beforeEach(async () => {
  place = await testPlace(scriptedModel([]), { files: { "a.txt": "one\n" }, flags: ["--port", "0"] });
});
afterEach(() => place.close());

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

type Sent = {
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  method?: string;
  path?: string;
};

/** Sends raw HTTP, because `fetch` would not send such headers. */
async function send({
  headers = {},
  body = "",
  method = "POST",
  path = "/mcp",
}: Sent): Promise<[number, string]> {
  const { port, hostname } = new URL(await place.url());
  const all = {
    authorization: `Bearer ${await place.token()}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const asking = request({ port, hostname, path, method, headers: all }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      answer.on("end", () => resolve([answer.statusCode ?? 0, text]));
    });
    asking.on("error", reject);
    asking.end(body);
  });
}

const asked = JSON.stringify(initialize);
const latin = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"of":"caf\u00e9"}}', "latin1");

test.each([
  ["no token", { headers: { authorization: "" } }, 401],
  ["another token", { headers: { authorization: `Bearer ${"0".repeat(64)}` } }, 401],
  ["a foreign Host", { headers: { host: "evil.example" } }, 403],
  ["the page of another site", { headers: { origin: "https://evil.example" } }, 403],
  ["a page of this machine", { headers: { origin: "http://127.0.0.1:3000" } }, 403],
  ["another path", { path: "/" }, 404],
  ["two slashes", { path: "//mcp" }, 403],
  ["a form", { headers: { "content-type": "text/plain" } }, 415],
  ["invalid JSON", { body: "{" }, 400],
  ["an empty body", { body: "" }, 400],
  ["endless brackets", { body: "[".repeat(100_000) }, 400],
  ["text that is not UTF-8", { body: latin }, 400],
  ["a compressed body", { headers: { "content-encoding": "gzip" } }, 415],
  ["an oversized body", { body: JSON.stringify("x".repeat(otherProgramBounds.message.most)) }, 413],
  ["an unknown session", { headers: { "mcp-session-id": "x" } }, 404],
  ["a call before initialize", { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }, 400],
  ["an empty list", { body: "[]" }, 400],
])("%s is refused, and the next request is answered", async (_, odd: Sent, status) => {
  expect((await send({ body: asked, ...odd }))[0]).toBe(status);
  const [good, text] = await send({ body: asked });
  expect(good).toBe(200);
  expect(text).toContain('"name":"toolwright"');
});

test("two clients work concurrently, each with its own calls", async () => {
  const [one, two] = [await place.httpClient(), await place.httpClient({ mode: "legacy" })];
  const results = await Promise.all(
    [one, two, one, two].map((client) =>
      client.callTool({ name: "read_file", arguments: { path: "a.txt" } }),
    ),
  );
  for (const { content } of results) expect(JSON.stringify(content)).toContain("one");
});

test("clients beyond the bound evict the oldest one", async () => {
  const { most } = mcpServerBounds.clients;
  const first = await place.httpClient({ mode: "legacy" });
  for (let at = 0; at < most; at += 1) expect((await send({ body: asked }))[0]).toBe(200);
  await expect(first.listTools()).rejects.toThrow();
});
