/** No request gets in without the server's token, under a foreign name, or from a web page. */

import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { otherProgramBounds } from "../base/bounds.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { lmServerBounds } from "./bounds.ts";
import { askServer, testServer, testToken, type TestServer } from "./testing/server.ts";

const model = scriptedModel(() => [{ say: "Hello." }]);
let server: TestServer;
beforeAll(async () => void (server = await testServer(model)));
afterAll(() => server.close());

/** Every route of the router itself, with a path that matches it. */
const routes = (): { method: string; path: string }[] =>
  server.app.routes.map(({ method, path }) => ({
    method,
    path: path.replace(":name{.+}", method === "POST" ? "m:generateContent" : "m"),
  }));

const fetchRoute = (method: string, path: string, headers: Record<string, string>): Promise<Response> =>
  fetch(server.url + path, { method, headers, ...(method === "POST" ? { body: "{}" } : {}) });

const wrong: Record<string, string>[] = [
  {},
  { authorization: "Bearer wrong" },
  { "x-api-key": "" },
  { authorization: testToken },
];

test("each route refuses a request without the token before reading its body", async () => {
  expect(routes().length).toBeGreaterThan(15);
  for (const { method, path } of routes())
    for (const headers of wrong) {
      const reply = await fetchRoute(method, path, headers);
      expect([path, reply.status]).toEqual([path, 401]);
      expect(await reply.text()).toContain("token");
    }
  expect(model.prompts).toEqual([]);
});

test("each route refuses any Origin, even with the token", async () => {
  for (const { method, path } of routes())
    for (const origin of ["https://evil.example", "null", server.url]) {
      const reply = await fetchRoute(method, path, { authorization: `Bearer ${testToken}`, origin });
      expect([path, reply.status]).toEqual([path, 403]);
    }
});

/** Sends a raw request and returns the first line of its reply. */
function raw(text: string): Promise<string> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(text));
    let heard = "";
    socket.on("data", (data) => {
      heard += data.toString();
      if (!heard.includes("\r\n")) return;
      socket.destroy();
      resolve(heard.slice(0, heard.indexOf("\r\n")));
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(heard));
  });
}

test("each route refuses a foreign Host, two Host headers and a missing Host", async () => {
  const { host, port } = new URL(server.url);
  const key = `Authorization: Bearer ${testToken}`;
  const hosts = [
    "Host: evil.example",
    `Host: evil.example:${port}`,
    "Host: 127.0.0.1",
    "Host: localhost",
    `Host: 127.0.0.1.:${port}`,
    `Host: [::ffff:127.0.0.1]:${port}`,
    `Host: ${host}\r\nHost: ${host}`,
    `Host: ${host}\r\nHost: evil.example`,
    "Host:",
    "X-Host: nobody",
  ];
  for (const { method, path } of routes())
    for (const line of hosts) {
      const status = await raw(
        `${method} ${path} HTTP/1.1\r\n${line}\r\n${key}\r\nConnection: close\r\n\r\n`,
      );
      expect([path, line, status]).toEqual([path, line, expect.stringMatching(/^HTTP\/1\.1 40[03] /)]);
    }
});

test("a request target that names a host is refused, even the server's own", async () => {
  const { host } = new URL(server.url);
  for (const target of [`http://${host}/v1/models`, "http://evil.example/v1/models", `//${host}/v1/models`]) {
    const status = await raw(
      `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${testToken}\r\nConnection: close\r\n\r\n`,
    );
    expect([target, status]).toEqual([target, expect.stringMatching(/^HTTP\/1\.1 40[03] /)]);
  }
});

test("D6: the token is accepted wherever the clients of each format put their key", async () => {
  const ways: [Record<string, string>, string][] = [
    [{ authorization: `Bearer ${testToken}` }, ""],
    [{ "x-api-key": testToken }, ""],
    [{ "x-goog-api-key": testToken }, ""],
    [{}, `?key=${testToken}`],
    [{ authorization: "Bearer sk-left-over", "x-api-key": testToken }, ""],
  ];
  for (const [headers, query] of ways)
    expect((await fetch(`${server.url}/v1/models${query}`, { headers })).status).toBe(200);
  expect(JSON.stringify(server.lines)).not.toContain(testToken);
});

test("a page from a configured origin may send requests", async () => {
  const origins = ["http://localhost:3000"];
  await using open = await testServer(model, { origins });
  const mine = await askServer(open, "/v1/models", { headers: { origin: "http://localhost:3000" } });
  expect([mine.status, mine.headers.get("access-control-allow-origin")]).toEqual([200, origins[0]]);
  expect((await askServer(open, "/v1/models", { headers: { origin: "http://localhost:3001" } })).status).toBe(
    403,
  );
});

test("a CORS preflight needs no token but a configured origin, and the request itself needs the token", async () => {
  const origins = ["http://localhost:3000"];
  await using open = await testServer(model, { origins });
  const ask = (origin: string, method = "OPTIONS"): Promise<Response> =>
    fetch(`${open.url}/v1/chat/completions`, {
      method,
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type",
      },
    });
  const first = await ask("http://localhost:3000");
  expect([first.status, first.headers.get("access-control-allow-headers")]).toEqual([
    204,
    "authorization,content-type",
  ]);
  expect((await ask("http://localhost:3001")).status).toBe(403);
  expect((await ask("http://localhost:3000", "POST")).status).toBe(401);
});

test("an empty, invalid, too deep, compressed or non-JSON body is refused in the client's format", async () => {
  const send = async (body: string, headers: Record<string, string> = {}): Promise<[number, string]> => {
    const reply = await fetch(`${server.url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": testToken, "content-type": "application/json", ...headers },
      body,
    });
    const said: unknown = await reply.json();
    expect(said).toMatchObject({ type: "error", error: { message: expect.any(String) } });
    return [reply.status, JSON.stringify(said)];
  };
  expect(await send("{")).toEqual([400, expect.stringContaining("not valid JSON")]);
  expect(await send("")).toEqual([400, expect.stringContaining("JSON object")]);
  expect(await send("[1]")).toEqual([400, expect.stringContaining("JSON object")]);
  expect(await send('{"model":1}')).toEqual([400, expect.stringContaining("model")]);
  expect(await send('{"model":"m","messages":"x"}')).toEqual([400, expect.stringContaining("messages")]);
  const deep = `{"model":"m","messages":${"[".repeat(100)}${"]".repeat(100)}}`;
  expect(await send(deep)).toEqual([400, expect.stringContaining("levels deep")]);
  expect(await send("[".repeat(1_000_000))).toEqual([400, expect.stringContaining("levels deep")]);
  expect(await send("{}", { "content-type": "text/plain" })).toEqual([415, expect.stringContaining("JSON")]);
  expect(await send("{}", { "content-encoding": "gzip" })).toEqual([
    415,
    expect.stringContaining("compressed"),
  ]);
});

test("a body that is not UTF-8 is refused", async () => {
  const reply = await fetch(`${server.url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": testToken, "content-type": "application/json" },
    body: Buffer.from('{"model":"m","messages":[{"role":"user","content":"caf\u00e9"}]}', "latin1"),
  });
  expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining("UTF-8")]);
});

test("brackets within strings do not count as nesting", async () => {
  const content = `${'\\"['.repeat(500)}\\\\`;
  const reply = await fetch(`${server.url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": testToken, "content-type": "application/json" },
    body: `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"${content}"}]}`,
  });
  expect(reply.status).toBe(200);
});

test("a body beyond the bound is refused with or without a content length", async () => {
  const long = "x".repeat(otherProgramBounds.message.most + 1);
  const said = await askServer(server, "/v1/chat/completions", { body: long });
  expect([said.status, await said.text()]).toEqual([413, expect.stringContaining("32 MiB")]);
  const stream = new Blob([long]).stream();
  const unsaid = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${testToken}`, "content-type": "application/json" },
    body: stream,
    duplex: "half",
  } satisfies RequestInit & { duplex: string });
  expect(unsaid.status).toBe(413);
});

test("a request beyond the concurrency bound gets 503 with retry-after", async () => {
  const gate = Promise.withResolvers<void>();
  const waiting = scriptedModel(() => [{ wait: gate.promise }, { say: "Done." }]);
  await using slow = await testServer(waiting);
  const body = { model: "m", messages: [{ role: "user", content: "Go." }] };
  const ask = (): Promise<Response> => askServer(slow, "/v1/chat/completions", { body });
  const first = Array.from({ length: lmServerBounds.requests.most }, ask);
  while (waiting.prompts.length < first.length) await new Promise((resolve) => setImmediate(resolve));
  const late = await ask();
  expect([late.status, late.headers.get("retry-after")]).toEqual([503, "1"]);
  gate.resolve();
  const statuses = (await Promise.all(first)).map(({ status }) => status);
  expect(statuses).toEqual(statuses.map(() => 200));
  expect((await ask()).status).toBe(200);
});

test("an unknown path is refused in the format whose paths it resembles", async () => {
  const body = async (path: string): Promise<unknown> => (await askServer(server, path)).json();
  expect(await body("/v1/messages/batches")).toMatchObject({ type: "error" });
  expect(await body("/api/pull")).toEqual({ error: expect.stringContaining("/api/pull") });
  expect(await body("/v1beta/files")).toMatchObject({ error: { status: "NOT_FOUND" } });
  expect(await body("/v1/embeddings")).toMatchObject({ error: { param: null } });
  expect(await body("/v1/chat/completions")).toMatchObject({
    error: { message: expect.stringContaining("POST") },
  });
});
