/** Refused input: the reply arrives, gives a short reason, and leaves the connection usable. */

import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testGateway, type TestGateway, testToken } from "../testing/gateway.ts";
import { mostBrokenFrames } from "./bounds.ts";
import { closeOf, framesOf, rawExchange, requestText, statusOf } from "./testing/raw.ts";

async function opened(): Promise<TestGateway> {
  const made = await testGateway(scriptedModel([]));
  onTestFinished(async () => {
    await made.close();
    await made.test.remove();
  });
  return made;
}

const asking = ({ port }: TestGateway, line: string, ...more: string[]): string =>
  requestText(`${line} HTTP/1.1`, `host: 127.0.0.1:${port}`, `authorization: Bearer ${testToken}`, ...more);

/** All bytes received until the server closes. */
async function heardFrom({ port }: TestGateway, ...texts: string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  let heard = "";
  socket.on("data", (piece: string) => {
    heard += piece;
  });
  for (const text of texts) socket.write(text);
  await once(socket, "close");
  return heard;
}

const statusesIn = (heard: string): number[] =>
  [...heard.matchAll(/HTTP\/1\.1 (?<status>\d+) /gu)].map(({ groups }) => Number(groups?.["status"]));

const large = "x".repeat(1_000_000);

test("the next request on a connection is answered even after a body that is too large or of a wrong type", async () => {
  const gateway = await opened();
  const next = asking(gateway, "GET /health", "connection: close");
  const body = `content-length: ${large.length}`;
  const code = asking(gateway, "POST /token", "content-type: application/json", body) + large;
  expect(statusesIn(await heardFrom(gateway, code, next))).toEqual([413, 200]);
  const form = asking(gateway, "POST /sessions", "content-type: text/plain", body) + large;
  expect(statusesIn(await heardFrom(gateway, form, next))).toEqual([415, 200]);
});

test("a chunked body that grows too large is refused with connection: close", async () => {
  const gateway = await opened();
  const head = asking(gateway, "POST /token", "content-type: application/json", "transfer-encoding: chunked");
  const heard = await heardFrom(gateway, `${head}10000\r\n${"x".repeat(0x10000)}\r\n`);
  expect(statusesIn(heard)).toEqual([413]);
  expect(heard.toLowerCase()).toContain("connection: close");
});

test("a client that disconnects in the middle of its body is not logged as a failure", async () => {
  const gateway = await opened();
  for (const [path, type] of [
    ["/sessions", "application/json"],
    ["/sessions/import", "application/x-ndjson"],
  ]) {
    const socket = connect(gateway.port, "127.0.0.1");
    const head = [`content-type: ${type}`, "content-length: 100", "expect: 100-continue"];
    socket.write(asking(gateway, `POST ${path}`, ...head));
    await once(socket, "data");
    socket.end('{"ti');
    socket.destroy();
  }
  await expect.poll(async () => (await gateway.ask("GET", "/health")).body).toMatchObject({ connections: 1 });
  expect(gateway.logged).toEqual([]);
  expect((await gateway.ask("GET", "/sessions")).body).toMatchObject({ sessions: [] });
});

test("a compressed body is refused with a reason", async () => {
  const gateway = await opened();
  const head = asking(gateway, "POST /sessions", "content-type: application/json", "content-encoding: gzip");
  const reply = await rawExchange(gateway.port, head.replace("\r\n\r\n", "\r\ncontent-length: 2\r\n\r\n{}"));
  expect(statusOf(reply)).toBe(415);
  expect(reply).toContain("compressed");
});

test("an unsupported method is refused with the allowed methods", async () => {
  const gateway = await opened();
  for (const method of ["HEAD", "PUT", "OPTIONS", "TRACE"]) {
    const reply = await rawExchange(gateway.port, asking(gateway, `${method} /health`, "connection: close"));
    expect(statusOf(reply), method).toBe(405);
    expect(reply.toLowerCase(), method).toContain("\r\nallow: get, post, delete\r\n");
  }
});

test("an error message never contains the whole of a long input", async () => {
  const gateway = await opened();
  const long = "x".repeat(100_000);
  const id = await gateway.newSession();
  const said = [
    await gateway.ask("POST", "/sessions", { workspace: `/${long}` }),
    await gateway.ask("POST", "/sessions", { model: long }),
    await gateway.ask("POST", `/sessions/${id}/commands`, { type: "set-model", model: long }),
    await gateway.ask("GET", `/sessions?limit=${"x".repeat(8_000)}`),
    await gateway.ask("GET", `/sessions/${"x".repeat(8_000)}`),
  ];
  for (const { status, body } of said) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(body).length).toBeLessThan(2_500);
  }
});

test("a refused import gives the reason", async () => {
  const gateway = await opened();
  const headers = { authorization: `Bearer ${testToken}`, "content-type": "application/x-ndjson" };
  const reply = await gateway.raw("/sessions/import", { method: "POST", headers, body: "no session" });
  expect(reply.status).toBe(400);
  expect(await reply.text()).toContain("cannot be imported: it is not a session");
});

test("ids in frames are limited to 200 characters, and an unknown frame type gets the list of types", async () => {
  const gateway = await opened();
  const socket = gateway.socket();
  const frames = framesOf(socket);
  await frames.next();
  const long = "x".repeat(201);
  const wrong = [
    { type: "follow", id: long, session: "s", after: 0 },
    { type: "follow", id: "f", session: long, after: 0 },
    { type: "leave", id: long },
    { type: "command", id: long, session: "s", command: { type: "interrupt" } },
  ];
  for (const frame of [...wrong, { type: "nothing" }]) socket.send(JSON.stringify(frame));
  for (const frame of wrong) {
    const name = "session" in frame && frame.session === long ? "session" : "id";
    const said = `"${name}" must have at most 200 characters.`;
    expect((await frames.next()).value).toMatchObject({ type: "error", code: "bad-frame", message: said });
  }
  const message = expect.stringMatching(/^"type" must be one of "hello", "follow", /u);
  expect((await frames.next()).value).toMatchObject({ type: "error", message });
  socket.terminate();
});

test("on each socket a client that sends only invalid frames is eventually closed", async () => {
  const gateway = await opened();
  for (const path of ["/socket", "/chat"]) {
    const socket = gateway.socket({ path });
    const closed = closeOf(socket);
    await once(socket, "open");
    for (let count = 0; count <= mostBrokenFrames; count += 1) socket.send("garbage");
    expect(await closed, path).toMatchObject({ code: 4429 });
  }
});
