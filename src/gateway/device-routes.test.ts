/** Signed-in browsers over a real port: a revoked one loses its sockets, streams and requests at once. */

import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { byPerson } from "../protocol/fact-words.ts";
import { type ModelScript, scriptedModel } from "../providers/scripted-model.ts";
import { testGateway, testToken } from "../testing/gateway.ts";

async function stage(script: ModelScript = []) {
  const gateway = await testGateway(scriptedModel(script));
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  const signIn = async (has?: string): Promise<string> => {
    const code = gateway.link().split("#code=")[1];
    const reply = await gateway.raw("/token", {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "Firefox/144.0 (X11; Linux)" },
      body: JSON.stringify(has === undefined ? { code } : { code, has }),
    });
    const { token }: { token: string } = JSON.parse(await reply.text());
    return token;
  };
  const as = (token: string, path: string, method = "GET") =>
    gateway.raw(path, { method, headers: { authorization: `Bearer ${token}` } });
  return { gateway, signIn, as };
}

async function restOf(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read());
}

const idOf = (key: string): string => key.split("-")[1] ?? "";

test("revoking a browser closes its sockets and streams at once, and no others", async () => {
  const { gateway, signIn, as } = await stage();
  const [mine, other] = [await signIn(), await signIn()];
  const session = await gateway.newSession();
  const sockets = [
    gateway.socket({ token: mine }),
    gateway.socket({ token: null }),
    gateway.socket({ token: other }),
  ];
  const [offered, greeted, others] = sockets;
  if (!offered || !greeted || !others) throw new Error("no sockets");
  greeted.on("open", () => greeted.send(JSON.stringify({ type: "hello", token: mine })));
  await Promise.all(sockets.map((socket) => once(socket, "message")));
  const stream = await as(mine, `/sessions/${session}/events`);
  const reader = stream.body?.getReader();
  await reader?.read();
  const closed = [offered, greeted].map((socket) => once(socket, "close"));

  expect((await as(testToken, `/devices/${idOf(mine)}`, "DELETE")).status).toBe(204);
  for (const [code, reason] of await Promise.all(closed)) {
    expect(code).toBe(4401);
    expect(String(reason)).toMatch(/signed out\. `toolwright serve link` prints/u);
  }
  await expect(restOf(reader)).rejects.toThrow("terminated");
  expect((await as(mine, "/health")).status).toBe(401);
  expect((await as(other, "/health")).status).toBe(200);
  const pong = once(others, "message");
  others.send(JSON.stringify({ type: "ping" }));
  expect(String((await pong)[0])).toBe('{"type":"pong"}');
  others.close();
});

test("what a browser began before it was signed out has no effect after", async () => {
  const { gateway, signIn, as } = await stage();
  const mine = await signIn();
  const session = await gateway.newSession();
  const socket = connect(gateway.port, "127.0.0.1");
  const body = JSON.stringify({ type: "rename", title: "Too late" });
  const head = `Host: 127.0.0.1:${gateway.port}\r\nAuthorization: Bearer ${mine}\r\n`;
  // The event stream keeps what is pipelined behind it waiting.
  socket.write(`GET /sessions/${session}/events HTTP/1.1\r\n${head}\r\n`);
  await once(socket, "data");
  socket.write(
    `POST /sessions/${session}/commands HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const slow = connect(gateway.port, "127.0.0.1");
  slow.write(
    `POST /sessions/${session}/commands HTTP/1.1\r\n${head}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await once(slow, "data");
  slow.write(body.slice(0, 10));
  const ended = [socket, slow].map((one) => once(one, "close"));
  for (const one of [socket, slow]) one.resume().on("error", () => undefined);
  expect((await as(testToken, `/devices/${idOf(mine)}`, "DELETE")).status).toBe(204);
  await Promise.all(ended);
  const { body: row } = await gateway.ask("GET", `/sessions/${session}`);
  expect(JSON.stringify(row)).not.toContain("Too late");
});

test("without a port a signed-out browser's streams end as well", async () => {
  const { gateway, signIn, as } = await stage();
  const mine = await signIn();
  const session = await gateway.newSession();
  const stream = await gateway.fetch(
    new Request(`${gateway.url}/sessions/${session}/events`, {
      headers: { authorization: `Bearer ${mine}` },
    }),
  );
  expect(stream.status).toBe(200);
  expect((await as(testToken, `/devices/${idOf(mine)}`, "DELETE")).status).toBe(204);
  await restOf(stream.body?.getReader());
});

test("a browser lists all of them, knows itself, and signs itself out", async () => {
  const { signIn, as } = await stage();
  const [first, second] = [await signIn(), await signIn()];
  const listed: unknown = await (await as(first, "/devices")).json();
  const name = "Firefox 144 on Linux";
  expect(listed).toMatchObject({
    devices: [
      { id: idOf(first), name, isThis: true },
      { id: idOf(second), name, isThis: false },
    ],
  });
  expect(JSON.stringify(listed)).not.toContain(first.split("-")[2]);
  expect((await as(first, "/devices/this", "DELETE")).status).toBe(204);
  expect((await as(first, "/devices")).status).toBe(401);
  expect(await (await as(second, "/devices")).json()).toMatchObject({ devices: [{ id: idOf(second) }] });
  for (const odd of ["this", idOf(first), "x", "__proto__", "a".repeat(500)])
    expect((await as(testToken, `/devices/${odd}`, "DELETE")).status, odd).toBe(404);
});

test("a browser that opens a second link stays the same one", async () => {
  const { signIn, as } = await stage();
  const key = await signIn();
  expect(await signIn(key)).toBe(key);
  expect(await (await as(key, "/devices")).json()).toMatchObject({ devices: [{ id: idOf(key) }] });
});

test("without a token nothing is told of the browsers, and none is signed out", async () => {
  const { gateway, signIn, as } = await stage();
  const key = await signIn();
  for (const method of ["GET", "DELETE"])
    for (const path of ["/devices", `/devices/${idOf(key)}`, "/devices/this"])
      expect((await gateway.raw(path, { method })).status).toBe(401);
  const foreign = { authorization: `Bearer ${key}`, origin: "http://127.0.0.1:1" };
  expect((await gateway.raw("/devices", { headers: foreign })).status).toBe(403);
  expect((await as(key, "/devices")).status).toBe(200);
});

test("a stop is signed by the browser that asks, over both ways, and nobody signs as another", async () => {
  const never = [{ say: "One" }, { wait: new Promise<void>(() => undefined) }];
  const { gateway, signIn } = await stage([never, never, never]);
  const key = await signIn();
  const id = await gateway.newSession();
  const post = (command: unknown, token = testToken) =>
    gateway.raw(`/sessions/${id}/commands`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(command),
    });
  const stop = { type: "interrupt", by: "me", device: "0123456789abcdef" };
  const overSocket = async (): Promise<void> => {
    const socket = gateway.socket({ token: key });
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "command", id: "1", session: id, command: stop }));
    const outcome = Promise.withResolvers<void>();
    socket.on("message", (data: Buffer) => String(data).includes('"outcome"') && outcome.resolve());
    await outcome.promise;
    socket.terminate();
  };
  const ways = [() => post(stop, key), overSocket, () => post(stop)];
  for (const way of ways) {
    await post({ type: "send", content: [{ type: "text", text: "go" }] });
    await way();
  }
  const facts = await gateway.test.store.read(id, 0);
  const own = { by: "Firefox 144 on Linux", device: idOf(key) };
  const ends = facts.filter((fact) => fact.type === "turn-end");
  expect(ends).toEqual([
    expect.objectContaining({ stopped: "interrupted", because: byPerson, ...own }),
    expect.objectContaining(own),
    expect.objectContaining({ by: "me" }),
  ]);
  expect(ends[2]).not.toHaveProperty("device");
});
