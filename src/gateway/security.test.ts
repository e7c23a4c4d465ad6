/**
 * Without the token, under a foreign name or from a foreign page, no request gets in: tests each route and upgrade of
 * the router itself.
 */

import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testGateway, type TestGateway, testToken } from "../testing/gateway.ts";
import { closeOf, rawExchange, requestText, statusOf, textOf, upgradeStatus } from "./testing/raw.ts";
import { socketPaths } from "./upgrade.ts";

async function stage(): Promise<TestGateway> {
  const gateway = await testGateway(scriptedModel([]));
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  return gateway;
}

const bearer = `authorization: Bearer ${testToken}`;
const json = "content-type: application/json";

/** Each route with a path that could be requested. */
const routesOf = ({ app }: TestGateway) =>
  app.routes.map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/gu, "x") }));

/** Deliberately open without a token. */
const open = new Set(["POST /token", "GET /login", "GET /health/alive", "GET /health/ready"]);

test("every route without a valid token is 401, except the exchange of a code, the login and the server's health", async () => {
  const gateway = await stage();
  const routes = routesOf(gateway);
  expect(routes.length).toBeGreaterThan(15);
  for (const { method, path } of routes.filter((route) => !open.has(`${route.method} ${route.path}`)))
    for (const header of [
      "x-none: 1",
      `authorization: Bearer ${testToken.replace("5", "6")}`,
      `authorization: Basic ${testToken}`,
      `x-api-key: ${testToken}`,
      `cookie: token=${testToken}`,
    ]) {
      const text = requestText(`${method} ${path} HTTP/1.1`, `host: 127.0.0.1:${gateway.port}`, header);
      const reply = await rawExchange(gateway.port, text);
      expect(statusOf(reply), `${method} ${path} ${header}`).toBe(401);
      expect(reply).toContain('"code":"unauthorized"');
    }
});

test("a token in the query string is not accepted", async () => {
  const gateway = await stage();
  for (const name of ["token", "access_token", "code"])
    expect((await gateway.raw(`/health?${name}=${testToken}`)).status).toBe(401);
});

test("every route with a foreign Host is 403 even with the token", async () => {
  const gateway = await stage();
  for (const { method, path } of [...routesOf(gateway), { method: "GET", path: "/" }])
    for (const host of ["evil.example", `evil.example:${gateway.port}`]) {
      const text = requestText(`${method} ${path} HTTP/1.1`, `host: ${host}`, bearer, json);
      expect(statusOf(await rawExchange(gateway.port, text)), `${method} ${path} ${host}`).toBe(403);
    }
});

test("every route with a foreign Origin is 403 even with the token", async () => {
  const gateway = await stage();
  const host = `host: 127.0.0.1:${gateway.port}`;
  for (const { method, path } of [...routesOf(gateway), { method: "GET", path: "/" }])
    for (const origin of ["https://evil.example", "null", `https://127.0.0.1:${gateway.port}`]) {
      const text = requestText(`${method} ${path} HTTP/1.1`, host, bearer, json, `origin: ${origin}`);
      expect(statusOf(await rawExchange(gateway.port, text)), `${method} ${path} ${origin}`).toBe(403);
    }
});

test("of more than twelve forms of Host only the gateway's own names are accepted", async () => {
  const gateway = await stage();
  const { port } = gateway;
  const ask = async (...hosts: string[]) =>
    statusOf(
      await rawExchange(
        port,
        requestText("GET /health HTTP/1.1", ...hosts.map((host) => `Host: ${host}`), bearer),
      ),
    );
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
    expect(await ask(host), host).toBe(200);
  const foreign = [
    "127.0.0.1",
    "localhost",
    `localhost.:${port}`,
    `127.0.0.1.nip.io:${port}`,
    `evil.example@localhost:${port}`,
    `localhost:${port}@evil.example`,
    `0.0.0.0:${port}`,
    `127.1:${port}`,
    `2130706433:${port}`,
    `[::ffff:7f00:1]:${port}`,
    `localhost:${port}, evil.example`,
    `localhost:0${port}`,
    `127.0.0.1:${port + 1}`,
    "",
  ];
  for (const host of foreign) expect(await ask(host), host).toBe(403);
  expect(await ask(`localhost:${port}`, `localhost:${port}`)).toBe(403);
  expect(await ask(`localhost:${port}`, "evil.example")).toBe(403);
});

test("an absolute request target is refused, whatever host it names", async () => {
  const gateway = await stage();
  const host = `host: 127.0.0.1:${gateway.port}`;
  for (const target of [
    "http://evil.example/health",
    `http://127.0.0.1:${gateway.port}/health`,
    "evil.example:80",
  ]) {
    const text = requestText(`GET ${target} HTTP/1.1`, host, bearer);
    expect([400, 403], target).toContain(statusOf(await rawExchange(gateway.port, text)));
  }
});

test("on every POST route a content type that a foreign form could send is 415", async () => {
  const gateway = await stage();
  const posts = routesOf(gateway).filter(({ method }) => method === "POST");
  expect(posts.length).toBeGreaterThan(4);
  for (const { path } of posts)
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/plain; x=application/json",
      "application/json; charset=utf-16",
    ]) {
      const headers = { authorization: `Bearer ${testToken}`, "content-type": type };
      const reply = await gateway.raw(path, { method: "POST", headers, body: '{"code":"x"}' });
      expect(reply.status, `${path} ${type}`).toBe(415);
    }
  // A page may also send bytes without any content type.
  const headers = { authorization: `Bearer ${testToken}` };
  for (const { path } of posts) {
    const body = new TextEncoder().encode('{"code":"x"}');
    expect((await gateway.raw(path, { method: "POST", headers, body })).status, path).toBe(415);
  }
});

test("the token is checked before the body is read", async () => {
  const gateway = await stage();
  const text = requestText(
    "POST /sessions HTTP/1.1",
    `host: 127.0.0.1:${gateway.port}`,
    json,
    "content-length: 1000000",
  );
  const reply = await rawExchange(gateway.port, text);
  expect(statusOf(reply)).toBe(401);
  expect(reply).toMatch(/connection: close/iu);
  const expecting = requestText(
    "POST /sessions HTTP/1.1",
    `host: 127.0.0.1:${gateway.port}`,
    json,
    "content-length: 10",
    "expect: 100-continue",
  );
  expect(statusOf(await rawExchange(gateway.port, expecting))).toBe(401);
});

test("an unknown path is 401 without the token and 404 with it, an unsupported method 401 and 405", async () => {
  const gateway = await stage();
  expect((await gateway.raw("/nothing")).status).toBe(401);
  expect((await gateway.ask("GET", "/nothing")).status).toBe(404);
  for (const method of ["PUT", "PATCH", "OPTIONS", "HEAD"])
    expect((await gateway.raw("/health", { method })).status, method).toBe(401);
  for (const method of ["PUT", "PATCH", "OPTIONS", "HEAD"])
    expect((await gateway.ask(method, "/health")).status, method).toBe(405);
});

test("no reply may be read, framed, sniffed or cached by another site", async () => {
  const gateway = await stage();
  const replies = [
    await gateway.raw("/"),
    await gateway.raw("/health"),
    await gateway.raw("/health", { headers: { authorization: `Bearer ${testToken}` } }),
    await gateway.raw("/nothing", { headers: { authorization: `Bearer ${testToken}` } }),
  ];
  for (const { headers } of replies) {
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'/u);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("content-security-policy")).not.toMatch(/unsafe|\*|https?:/u);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("x-powered-by")).toBeNull();
  }
});

test("every upgrade needs the token, an own Host and an own Origin", async () => {
  const gateway = await stage();
  expect(socketPaths.length).toBe(2);
  for (const path of [...socketPaths, "/nothing", "/", "/sessions"]) {
    const wrong = testToken.replace("5", "6");
    const headers = { authorization: `Bearer ${wrong}` };
    expect(await upgradeStatus(gateway.socket({ token: null, path, headers })), path).toBe(401);
    if (!socketPaths.includes(path))
      expect(await upgradeStatus(gateway.socket({ token: wrong, path })), path).toBe(401);
    const foreign: Record<string, string>[] = [
      { host: "evil.example" },
      { origin: "https://evil.example" },
      { origin: "null" },
    ];
    for (const headers of foreign)
      expect(await upgradeStatus(gateway.socket({ path, headers })), JSON.stringify(headers)).toBe(403);
  }
  expect(await upgradeStatus(gateway.socket({ path: "/nothing" }))).toBe(404);
  expect(await upgradeStatus(gateway.socket({ path: "/nothing", token: null }))).toBe(401);
  const origin = `http://127.0.0.1:${gateway.port}`;
  for (const path of socketPaths) {
    const opened = gateway.socket({ path, headers: { origin } });
    expect(await upgradeStatus(opened)).toBe(101);
    opened.terminate();
  }
});

test("a wrong token offered as a subprotocol closes the socket with 4401 before any frame is sent", async () => {
  const gateway = await stage();
  const strange: Record<string, string>[] = [{ origin: "https://evil.example" }, { host: "evil.example" }];
  for (const path of socketPaths) {
    const token = testToken.replace("5", "6");
    const socket = gateway.socket({ token, path });
    const heard: string[] = [];
    socket.on("message", (data) => heard.push(textOf(data)));
    socket.on("open", () => socket.send(JSON.stringify({ type: "hello", token: testToken })));
    const { code, reason } = await closeOf(socket);
    expect([code, reason]).toEqual([4401, expect.stringContaining("toolwright serve link")]);
    expect(heard).toEqual([]);
    for (const headers of strange)
      expect(await upgradeStatus(gateway.socket({ token, path, headers }))).toBe(403);
  }
});

test("a socket without a token is closed unless the first frame has it", async () => {
  const gateway = await stage();
  for (const path of socketPaths)
    for (const first of [
      '{"type":"ping"}',
      '{"type":"hello","token":"x"}',
      "{",
      '{"type":"hello"}',
      "null",
    ]) {
      const socket = gateway.socket({ token: null, path });
      socket.on("open", () => socket.send(first));
      const { code, reason } = await closeOf(socket);
      expect(code, first).toBe(4401);
      const isWrong = first.includes('"token":"x"') && first.includes('"hello"');
      expect(reason, first).toContain(isWrong ? "Unknown or revoked token" : "No token");
    }
  const silent = gateway.socket({ token: null });
  expect((await closeOf(silent)).code).toBe(4401);
  const polite = gateway.socket({ token: null });
  polite.on("open", () => polite.send(JSON.stringify({ type: "hello", token: testToken })));
  const heard = await new Promise((resolve) => void polite.on("message", (data) => resolve(textOf(data))));
  expect(heard).toContain('"welcome"');
  polite.terminate();
});

test("the token is never echoed as the name of the subprotocol", async () => {
  const gateway = await stage();
  const socket = gateway.socket();
  expect(await upgradeStatus(socket)).toBe(101);
  expect(socket.protocol).toBe("toolwright");
  socket.terminate();
});

test("a request that offers an upgrade to another protocol is answered as plain HTTP", async () => {
  const gateway = await stage();
  const host = `host: 127.0.0.1:${gateway.port}`;
  for (const offer of [
    ["connection: upgrade, http2-settings", "upgrade: h2c", "http2-settings: AAMAAABk"],
    ["upgrade: x"],
  ]) {
    const ask = (...more: string[]) =>
      rawExchange(gateway.port, requestText("GET /health HTTP/1.1", host, ...offer, ...more));
    expect(statusOf(await ask(bearer))).toBe(200);
    expect(statusOf(await ask())).toBe(401);
  }
});

test("malformed HTTP and request smuggling are refused with an error body", async () => {
  const gateway = await stage();
  const host = `host: 127.0.0.1:${gateway.port}`;
  const odd = [
    "hello\r\n\r\n",
    "\u0016\u0003\u0001\u0000\u00a5\u0001\r\n\r\n",
    requestText(
      "POST /sessions HTTP/1.1",
      host,
      bearer,
      json,
      "content-length: 2",
      "transfer-encoding: chunked",
    ),
    requestText("POST /sessions HTTP/1.1", host, bearer, json, "content-length: 2", "content-length: 3"),
    requestText("GET /health HTTP/1.1", host, bearer, "bad header"),
    requestText("GET /health HTTP/1.1", host, bearer, `x: ${"y".repeat(20_000)}`),
    requestText("GET /health HTTP/1.0", bearer),
  ];
  for (const text of odd) {
    const reply = await rawExchange(gateway.port, text);
    expect([400, 403, 431], text.slice(0, 40)).toContain(statusOf(reply));
    expect(reply).toContain('{"error":{"code":"');
  }
  expect((await gateway.ask("GET", "/health")).status).toBe(200);
});

test("a client that exceeds the rate limit gets 429, and others are not affected", async () => {
  const gateway = await stage();
  const one = requestText("GET / HTTP/1.1", `host: 127.0.0.1:${gateway.port}`);
  const last = requestText("GET / HTTP/1.1", `host: 127.0.0.1:${gateway.port}`, "connection: close");
  const socket = connect(gateway.port, "127.0.0.1", () => void socket.write(one.repeat(4_000) + last));
  let heard = "";
  for await (const piece of socket) heard += String(piece);
  const statuses = [...heard.matchAll(/^HTTP\/1\.1 (\d+)/gmu)].map(([, status]) => status);
  expect(statuses.slice(0, 2_000).every((status) => status === "200")).toBe(true);
  expect(statuses.at(-1)).toBe("429");
  expect(heard).toContain("retry-after: 1");
  expect((await gateway.ask("GET", "/health")).status).toBe(200);
});

test("a gateway accepts the additional names it was given, and no others", async () => {
  const gateway = await testGateway(scriptedModel([]), {
    setup: { names: ["box.lan", "https://box.example"] },
  });
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  const ask = async (...lines: string[]) =>
    statusOf(await rawExchange(gateway.port, requestText("GET /health HTTP/1.1", ...lines, bearer)));
  expect(await ask(`host: box.lan:${gateway.port}`)).toBe(200);
  expect(await ask("host: box.lan")).toBe(403);
  expect(await ask("host: box.example", "origin: https://box.example")).toBe(200);
  expect(await ask("host: box.example", "origin: http://box.example")).toBe(403);
});
