/** Requests and frames that no client sends, byte by byte, in forms that have broken other servers. */

import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { routes } from "../src/remote/api.ts";
import { testGateway, type TestGateway, testToken } from "../src/testing/gateway.ts";

let gateway: TestGateway;
let session = "";
beforeAll(async () => {
  gateway = await testGateway(scriptedModel([]));
  session = await gateway.newSession();
});
afterAll(async () => {
  expect(gateway.logged).toEqual([]);
  await gateway.close();
  await gateway.test.remove();
});

/** Everything received until the other side closes. */
function heardFrom(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(gateway.port, "127.0.0.1", () => void socket.write(bytes));
    socket.setEncoding("latin1");
    socket.on("data", (piece: string) => {
      heard += piece;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(heard));
  });
}

const statusesIn = (heard: string): number[] =>
  [...heard.matchAll(/HTTP\/1\.1 (?<status>\d+) /gu)].map(({ groups }) => Number(groups?.["status"]));

const host = (): string => `host: 127.0.0.1:${gateway.port}`;
const bearer = `authorization: Bearer ${testToken}`;
const close = "connection: close";
const json = "content-type: application/json";

async function statusFor(line: string, ...headers: string[]): Promise<number> {
  const [body = ""] = headers.filter((header) => header.startsWith("\r\n"));
  const lines = headers.filter((header) => !header.startsWith("\r\n"));
  const heard = await heardFrom(
    `${[`${line} HTTP/1.1`, ...lines, close].join("\r\n")}\r\n\r\n${body.slice(2)}`,
  );
  return statusesIn(heard)[0] ?? 0;
}

const allRoutes = Object.values(routes).map((route) => ({
  ...route,
  path: route.path.replace(":id", session).replace(":callId", "call"),
}));

test("401: no route accepts a token that is almost right, in the wrong place, or sent twice", async () => {
  const wrong = [
    [`authorization: Bearer ${"6".repeat(64)}`],
    [`authorization: Bearer ${testToken.slice(1)}`],
    [`authorization: Bearer ${testToken}5`],
    [`authorization: Basic ${btoa(`x:${testToken}`)}`],
    ["authorization: Bearer wrong", bearer],
    [bearer, bearer],
    ["authorization: Bearer "],
    [`cookie: token=${testToken}`],
    [`x-api-key: ${testToken}`, "x-forwarded-for: 127.0.0.1"],
  ];
  for (const { method, path, ...route } of allRoutes) {
    if (route.needs === "none") continue;
    for (const headers of wrong)
      expect(
        await statusFor(`${method} ${path}`, host(), ...headers),
        `${method} ${path} ${headers[0]}`,
      ).toBe(401);
    expect(await statusFor(`${method} ${path}?token=${testToken}&access_token=${testToken}`, host())).toBe(
      401,
    );
  }
});

test("403: only the gateway's own Host and Origin are accepted, in any spelling", async () => {
  const { port } = gateway;
  const own = [`127.0.0.1:${port}`, `LocalHost:${port}`, `[::1]:${port}`, `127.0.0.1:${port}\t`];
  for (const name of own) expect(await statusFor("GET /health", `host: ${name}`, bearer), name).toBe(200);
  const foreign = [
    "evil.example",
    `localhost.:${port}`,
    "127.0.0.1",
    `127.0.0.1:${port + 1}`,
    `127.0.0.1:0${port}`,
    `user@127.0.0.1:${port}`,
    `127.0.0.1:${port}@evil.example`,
    `127.1:${port}`,
    `0x7f.1:${port}`,
    `2130706433:${port}`,
    `0.0.0.0:${port}`,
    `127.0.0.1.nip.io:${port}`,
    `127.0.0.1 :${port}`,
    `127.0.0.1:${port}, evil.example`,
    `127.0.0.1:${port}/evil`,
    `http://127.0.0.1:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    "",
  ];
  for (const name of foreign)
    expect([400, 403], name).toContain(await statusFor("GET /health", `host: ${name}`, bearer));
  expect([400, 403]).toContain(await statusFor("GET /health", host(), host(), bearer));
  expect([400, 403]).toContain(await statusFor(`GET http://127.0.0.1:${port}/health`, host(), bearer));
  const origins = [
    "null",
    "",
    "file://",
    `https://127.0.0.1:${port}`,
    `http://127.0.0.1:${port + 1}`,
    `http://127.0.0.1:${port}.evil.example`,
    `http://127.0.0.1:${port}/`,
    "https://evil.example",
  ];
  for (const origin of origins)
    expect(await statusFor("GET /health", host(), bearer, `origin: ${origin}`), origin).toBe(403);
});

test("404: no odd spelling of a path reaches a route or a file", async () => {
  const odd = [
    "/../../etc/passwd",
    "/..%2f..%2fetc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..\\..\\etc\\passwd",
    "/%00",
    "/health%00",
    "//health",
    "/./health",
    "/x/../health",
    "/%68ealth%2f",
    "/%252e%252e%252fetc",
    "/gateway-token",
    "/assets.json",
    "/.git/config",
    "/health/",
    "/HEALTH",
    "/%ZZ",
    "/health;x",
  ];
  for (const path of odd) {
    expect([400, 404], path).toContain(await statusFor(`GET ${path}`, host(), bearer));
    expect([400, 401], path).toContain(await statusFor(`GET ${path}`, host()));
  }
  for (const id of [
    "..%2f..%2fetc",
    "%00",
    "%2e%2e",
    "a%2fb",
    "%ZZ",
    "%ED%A0%80",
    "__proto__",
    "x".repeat(9_000),
  ])
    for (const { method, path } of Object.values(routes).filter((route) => route.path.includes(":id")))
      expect([400, 404, 405, 415], `${method} ${path} ${id.slice(0, 20)}`).toContain(
        await statusFor(`${method} ${path.replace(":id", id).replace(":callId", "c")}`, host(), bearer),
      );
});

test("one request is never parsed as two: an ambiguous length is refused, and the connection closes", async () => {
  const behind = `GET /health HTTP/1.1\r\n${host()}\r\n${bearer}\r\n\r\n`;
  const head = `POST /sessions HTTP/1.1\r\n${host()}\r\n${bearer}\r\n${json}\r\n`;
  const unclear = [
    `${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `,
    `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${head}transfer-encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    `${head}transfer-encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    `${head}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    ...["-1", "NaN", "1e3", "0x2", "+2", "2 2"].map((length) => `${head}content-length: ${length}\r\n\r\n{}`),
    `${head}x-a: b\r\n folded\r\ncontent-length: 2\r\n\r\n{}`,
    `${head}x-a : b\r\ncontent-length: 2\r\n\r\n{}`,
    "\u0000\u0001garbage\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  ];
  for (const text of unclear)
    expect(statusesIn(await heardFrom(text + behind)), text.slice(90)).toEqual([400]);
  const stranger = `POST /sessions HTTP/1.1\r\n${host()}\r\n${json}\r\ncontent-length: 500\r\n\r\n`;
  expect(statusesIn(await heardFrom(stranger + behind))).toEqual([401]);
});

const upgrade = (path: string, ...headers: string[]): string =>
  [
    `GET ${path} HTTP/1.1`,
    host(),
    "connection: Upgrade",
    "upgrade: websocket",
    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-version: 13",
    ...headers,
    "\r\n",
  ].join("\r\n");

const offered = `sec-websocket-protocol: toolwright, token.${testToken}`;

test("an upgrade is refused for a foreign origin, a wrong or second token, and a path without a socket", async () => {
  const of = async (text: string): Promise<number> => statusesIn(await heardFrom(text))[0] ?? 0;
  for (const path of ["/socket", "/chat"]) {
    expect(await of(upgrade(path, offered, "origin: https://evil.example")), path).toBe(403);
    expect(await of(upgrade(path, offered, host())), path).toBe(403);
    // It is opened and closed immediately, because a page cannot see why an upgrade is refused.
    for (const wrong of ["sec-websocket-protocol: toolwright, token.", `${offered}, token.x`]) {
      const sent = Buffer.concat([Buffer.from(upgrade(path, wrong)), goodbye]);
      expect(closeCodeIn(await heardFrom(sent)), `${path} ${wrong}`).toBe(4401);
    }
    expect(await of(upgrade(path, "authorization: Bearer x")), path).toBe(401);
    expect(await of(upgrade(path, offered).replace("version: 13", "version: 7")), path).toBe(400);
    expect(await of(upgrade(path, offered).replace("GET", "POST")), path).toBe(400);
  }
  for (const path of ["/socket/", "/SOCKET", "//socket", "/%73ocket", "/sessions", "/"]) {
    expect(await of(upgrade(path, offered)), path).toBe(404);
    expect(await of(upgrade(path)), path).toBe(401);
  }
});

type Odd = { fin?: boolean; reserved?: number; masked?: boolean; length?: bigint };

function frame(opcode: number, payload: string | Buffer, odd: Odd = {}): Buffer {
  const { fin = true, reserved = 0, masked = true } = odd;
  const bytes = Buffer.from(payload);
  const length = odd.length ?? BigInt(bytes.length);
  const first = (fin ? 128 : 0) | (reserved << 4) | opcode;
  const mask = masked ? 128 : 0;
  const head = length < 126n ? Buffer.from([first, mask | Number(length)]) : Buffer.alloc(10);
  if (length >= 126n) {
    head.set([first, mask | 127]);
    head.writeBigUInt64BE(length, 2);
  }
  const key = masked ? randomBytes(4) : Buffer.alloc(0);
  const body = masked ? bytes.map((byte, at) => byte ^ (key[at % 4] ?? 0)) : bytes;
  return Buffer.concat([head, key, body]);
}

/** The code with which the server closes, when the frames directly follow the upgrade. */
async function closeCodeFor(...frames: Buffer[]): Promise<number> {
  return closeCodeIn(await heardFrom(Buffer.concat([Buffer.from(upgrade("/socket", offered)), ...frames])));
}

function closeCodeIn(text: string): number {
  const heard = Buffer.from(text, "latin1");
  const at = heard.lastIndexOf(0x88);
  return at < 0 ? 0 : heard.readUInt16BE(at + 2);
}

const goodbye = frame(8, Buffer.from([3, 232]));

test("frames that violate the WebSocket standard close the socket with the standard's code", async () => {
  const cases: [string, number, Buffer[]][] = [
    ["bytes", 1003, [frame(2, "x"), goodbye]],
    ["two MiB", 1009, [frame(1, "x".repeat(2 ** 21))]],
    [
      "more than a MiB in parts",
      1009,
      [frame(1, "x".repeat(700_000), { fin: false }), frame(0, "x".repeat(700_000))],
    ],
    ["a length of 2^40", 1009, [frame(1, "abc", { length: 2n ** 40n })]],
    ["a length of 2^63", 1009, [frame(1, "", { length: 2n ** 63n })]],
    ["a reserved bit", 1002, [frame(1, "{}", { reserved: 4 })]],
    ["another one", 1002, [frame(1, "{}", { reserved: 1 })]],
    ["no mask", 1002, [frame(1, "{}", { masked: false })]],
    ["an unknown kind", 1002, [frame(3, "")]],
    ["a long ping", 1002, [frame(9, "x".repeat(126))]],
    ["a ping in parts", 1002, [frame(9, "x", { fin: false })]],
    ["a part of nothing", 1002, [frame(0, "x")]],
    ["a text within a text", 1002, [frame(1, "x", { fin: false }), frame(1, "y")]],
    ["a code that is never sent", 1002, [frame(8, Buffer.from([3, 237]))]],
    ["half a code", 1002, [frame(8, "x")]],
    ["a reason that is no UTF-8", 1007, [frame(8, Buffer.from([3, 232, 0xff, 0xfe]))]],
    ["a text that is no UTF-8", 1007, [frame(1, Buffer.from([0xed, 0xa0, 0x80]))]],
    ["a goodbye", 1000, [goodbye]],
  ];
  for (const [name, code, frames] of cases) expect(await closeCodeFor(...frames), name).toBe(code);
});

test("a fragmented message with a ping in between is one message, and frames sent early are not lost", async () => {
  const parts = [
    frame(1, '{"ty', { fin: false }),
    frame(9, "p"),
    frame(0, "", { fin: false }),
    frame(0, 'pe":"ping"}'),
  ];
  const heard = await heardFrom(Buffer.concat([Buffer.from(upgrade("/socket", offered)), ...parts, goodbye]));
  expect(heard).toContain('{"type":"pong"}');
});
