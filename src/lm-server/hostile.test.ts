/**
 * Whatever a client sends, and however, the server replies in its format or closes the connection, and keeps running.
 */

import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { scale } from "../testing/scale.ts";
import { wires } from "../wires/index.ts";
import { askServer, testServer, testToken, type TestServer } from "./testing/server.ts";

let server: TestServer;
beforeAll(async () => void (server = await testServer(scriptedModel(() => [{ say: "Hello." }]))));
afterAll(() => server.close());

const paths = (): string[] =>
  server.app.routes
    .filter(({ method }) => method === "POST")
    .flatMap(({ path }) =>
      path.includes(":name")
        ? ["generateContent", "streamGenerateContent", "countTokens", "nothing"].map((what) =>
            path.replace(":name{.+}", `m:${what}`),
          )
        : [path],
    );

/** Almost valid bodies: known fields with arbitrary values. */
const fields =
  "model messages tools stream input system max_tokens stop tool_choice contents options think instructions generationConfig toolConfig thinking functions".split(
    " ",
  );
const anything = fc.jsonValue({ maxDepth: 3 });
const message = fc.record({
  role: fc.constantFrom("user", "assistant", "tool", "system"),
  content: anything,
});
const nearly = fc.dictionary(fc.constantFrom(...fields), anything, { maxKeys: 6 });
const request = fc.record({
  model: fc.constant("m"),
  messages: fc.array(message, { maxLength: 3 }),
  tools: anything,
  stream: fc.boolean(),
});

test("any JSON at any route is answered or refused without an unexpected error", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths()), fc.oneof(anything, nearly, request), async (path, body) => {
      const reply = await askServer(server, path, { body });
      const text = await reply.text();
      expect([path, reply.status]).toEqual([
        path,
        expect.toSatisfy((code) => [200, 400, 404].includes(code)),
      ]);
      if (reply.status !== 200) expect(JSON.stringify(JSON.parse(text))).toMatch(/[a-z]{3}/);
    }),
    { numRuns: 100 * scale },
  );
  expect(server.lines.filter(({ error = "" }) => error.startsWith("unexpected"))).toEqual([]);
});

test("every path of a format is served", async () => {
  for (const wire of Object.values(wires))
    for (const path of wire.asked) {
      const real = path.replace(":name{.+}", "some%2Fmodel:generateContent");
      expect([path, wire.match(real) !== undefined]).toEqual([path, true]);
      const reply = await askServer(server, real, { body: {} });
      expect([path, reply.status]).not.toEqual([path, 404]);
    }
});

/** All bytes received until the connection is closed. */
function sent(...pieces: (string | Buffer)[]): Promise<string> {
  const { port } = new URL(server.url);
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(Number(port), "127.0.0.1", () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket.on("data", (data) => (heard += data.toString()));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(heard));
  });
}

const head = (method: string, path: string, ...lines: string[]): string =>
  [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(server.url).host}`,
    `Authorization: Bearer ${testToken}`,
    "Content-Type: application/json",
    "Connection: close",
    ...lines,
    "\r\n",
  ].join("\r\n");

test("malformed HTTP ends its connection, and the server keeps running", async () => {
  const { host } = new URL(server.url);
  expect(await sent("\u0016\u0003\u0001\u0002\u0000")).toMatch(/^(HTTP\/1\.1 400|$)/);
  expect(await sent("GET / HTTP/9.9\r\n\r\n")).toMatch(/^HTTP\/1\.1 (400|505)/);
  expect(
    await sent(head("POST", "/api/chat", "Content-Length: 5", "Transfer-Encoding: chunked"), "0\r\n\r\n"),
  ).toMatch(/^HTTP\/1\.1 400/);
  expect(await sent(head("POST", "/api/chat", "Content-Length: -1"))).toMatch(/^HTTP\/1\.1 400/);
  expect(await sent(head("GET", "/", `X-Long: ${"x".repeat(100_000)}`))).toMatch(/^HTTP\/1\.1 431/);
  expect(await sent(`CONNECT evil.example:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toBe("");
  expect((await askServer(server, "/")).status).toBe(200);
});

test("a stream to an HTTP/1.0 client is sent without chunked encoding", async () => {
  const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Hi." }] });
  const asked = head("POST", "/v1/chat/completions", `Content-Length: ${body.length}`);
  const heard = await sent(asked.replace("HTTP/1.1", "HTTP/1.0"), body);
  expect(heard).toMatch(/^HTTP\/1\.1 200/);
  expect(heard).not.toMatch(/transfer-encoding|trailer/i);
  expect(heard).toMatch(/data: \[DONE\]\n\n$/);
});

test("an upgrade request does not bypass the token", async () => {
  const upgrade = head("GET", "/v1/models", "Upgrade: websocket", "Sec-WebSocket-Version: 13");
  const bare = upgrade.replace(/Authorization: .*\r\n/, "").replace("close", "Upgrade");
  expect(await sent(bare.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))).toMatch(/^HTTP\/1\.1 401/);
});

test("a model name that contains a path, encoded or not, is treated as a name", async () => {
  const names = [
    "..%2f..%2fetc%2fpasswd",
    "%2e%2e",
    "a/../b",
    "%00",
    "%ff",
    "%",
    "x".repeat(5000),
    "__proto__",
  ];
  for (const name of names)
    for (const path of [`/v1/models/${name}`, `/v1beta/models/${name}`]) {
      const reply = await askServer(server, path);
      expect([name, reply.status < 500]).toEqual([name, true]);
      expect(await reply.text()).not.toContain("root:");
    }
});

test("a client that disconnects in the middle of its request is logged with 499", async () => {
  const before = server.lines.length;
  const { port } = new URL(server.url);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      socket.write(head("POST", "/api/chat", "Content-Length: 1000") + '{"model"', () => socket.destroy());
    });
    socket.on("close", () => resolve());
  });
  while (server.lines.length === before) await new Promise((resolve) => setImmediate(resolve));
  expect(server.lines.at(-1)).toMatchObject({ status: 499, broken: true });
  expect((await askServer(server, "/")).status).toBe(200);
});
