/** Failures of servers over HTTP, reported so that a person can act on them. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { isObject, parseJson } from "../../base/json.ts";
import { startServers, wordsOf } from "./testing/servers.ts";

type Asked = { method: string; id: unknown };
type Answer = (response: ServerResponse, asked: Asked) => void;

const page = (status: number, text: string, type = "text/html"): Answer => {
  return (response) => void response.writeHead(status, { "content-type": type }).end(text);
};

const message =
  (rest: object): Answer =>
  (response, { id }) =>
    page(
      200,
      JSON.stringify({ jsonrpc: "2.0", id, ...rest }),
      "application/json",
    )(response, { id, method: "" });

/** Behaves until a tool is called. */
function untilCalled(answer: Answer): Answer {
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "s", version: "1" },
    },
    "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
  };
  return (response, asked) => {
    const result = results[asked.method];
    return result ? message({ result })(response, asked) : answer(response, asked);
  };
}

async function served(answer: Answer, headers: Record<string, string> = {}) {
  const server = createServer((request, response) => void serve(answer, request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = isObject(address) ? String(address["port"]) : "";
  const started = await startServers({ s: { url: `http://127.0.0.1:${port}/mcp`, headers } });
  onTestFinished(async () => {
    await started.close();
    server.closeAllConnections();
    server.close();
  });
  return started;
}

async function serve(answer: Answer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const piece of request) body += String(piece);
  const parsed = parseJson(body);
  const { method, id } = parsed.ok && isObject(parsed.value) ? parsed.value : {};
  if (request.method === "POST" && typeof method === "string" && id !== undefined)
    return answer(response, { method, id });
  if (request.method === "POST" && method !== undefined) return void response.writeHead(202).end();
  return answer(response, { method: "", id: 0 });
}

test.each<[string, Answer, RegExp]>([
  [
    "forbidden",
    page(403, "<html><b>Not you</b></html>"),
    /answers with status 403 \(Not you\): check its headers/u,
  ],
  ["nothing there", page(404, "none"), /answers with status 404 \(none\): check its url/u],
  ["broken", page(500, `\u001b[31mOh${"x".repeat(3_000)}`), /answers with status 500 \(Ohx{100,199} …\)\./u],
  ["a page", page(200, "<html>"), /answers with text\/html, as no tool server does: check its url/u],
  [
    "elsewhere",
    (response) => void response.writeHead(307, { location: "http://169.254.169.254/latest?a=1" }).end(),
    /it redirects to http:\/\/169\.254\.169\.254\/latest, which was not followed: if that is/u,
  ],
  ["no JSON", page(200, "{bad", "application/json"), /its answer is no JSON that can be read/u],
  [
    "no result",
    message({ result: { capabilities: { tools: true } } }),
    /initialize is none of the protocol \(.*capabilities\.tools: /u,
  ],
])("a failing server is explained: %s", async (_what, answer, words) => {
  const { manager } = await served(answer);
  expect(manager.notices().map(({ text }) => text)).toEqual([expect.stringMatching(words)]);
});

test.each<[string, Answer, RegExp]>([
  ["refused", page(403, "no"), /^The server s did not take the call: it answers with status 403 \(no\): /u],
  ["forgotten each time", page(404, ""), /^The server s does not take this call: it says each time/u],
  [
    "nested without end",
    page(
      200,
      `{"jsonrpc":"2.0","id":1,"result":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
      "application/json",
    ),
    /^The server s has answered, but the answer is nested more than 200 deep and was not read\.$/u,
  ],
  [
    "a stream that breaks off",
    page(200, 'data: {"jsonrpc":"2.0",', "text/event-stream"),
    /^The server s has answered, but the connection broke off before the end of the answer: /u,
  ],
  ["nothing", message({ result: null }), /its answer to a request is none of the protocol/u],
])("a call that the server fails to answer is explained: %s", async (_what, answer, words) => {
  const { call } = await served(untilCalled(answer));
  const refused = await call("mcp__s__echo", {});
  expect(refused.outcome).toBe("failed");
  expect(wordsOf(refused)).toMatch(words);
});

test("a rejected Authorization header is reported as such, not as a missing login", async () => {
  const { manager } = await served(page(401, "no"), { authorization: "Bearer old-key" });
  expect(manager.notices()[0]?.text).toMatch(/does not accept the Authorization header .*check its value/u);
});
