/** Clients that send or read nothing cost the language-model server little, and block others only briefly. */

import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { mostConnections } from "../src/lm-server/bounds.ts";
import type { LogLine } from "../src/lm-server/log.ts";
import { askServer, testServer, testToken } from "../src/lm-server/testing/server.ts";
import type { Model } from "../src/providers/provider.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";

const halfOpen = mostConnections + 100;
const unfinished = "POST /api/chat HTTP/1.1\r\nHost: x\r\nX-Slow:";

/** Resolves with the received text when the connection is closed. */
function opened(port: number, text: string): { socket: Socket; closed: Promise<string> } {
  let heard = "";
  const socket = connect(port, "127.0.0.1", () => socket.write(text));
  socket.on("data", (data) => (heard += data.toString()));
  socket.on("error", () => undefined);
  return { socket, closed: new Promise((resolve) => socket.on("close", () => resolve(heard))) };
}

/** A server with Node's own patience, which is a minute; resolves once it has such a connection too. */
async function patientServer(): Promise<{ hasClosed: () => boolean }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address: AddressInfo | string | null = server.address();
  let closed = false;
  const connection = opened(typeof address === "object" ? (address?.port ?? 0) : 0, unfinished);
  void connection.closed.then(() => (closed = true));
  await once(server, "connection");
  onTestFinished(() => {
    connection.socket.destroy();
    server.close();
  });
  return { hasClosed: () => closed };
}

test("more connections than are allowed that never finish a request are closed long before Node would, and the server still answers", async () => {
  const patient = await patientServer();
  await using server = await testServer(scriptedModel(() => [{ say: "Hello." }]));
  const port = Number(new URL(server.url).port);
  const all = Array.from({ length: halfOpen }, () => opened(port, unfinished));
  const heard = await Promise.all(all.map(({ closed }) => closed));
  expect(heard.filter((text) => text !== "" && !text.startsWith("HTTP/1.1 408"))).toEqual([]);
  expect(heard.filter((text) => text === "").length).toBeGreaterThanOrEqual(halfOpen - mostConnections);
  expect(patient.hasClosed()).toBe(false);
  expect((await askServer(server, "/")).status).toBe(200);
});

test("a client that does not read slows the model down instead of filling memory", async () => {
  const piece = "x".repeat(64 * 1024);
  const allowed = 16 * 1024 ** 2;
  let made = 0;
  const flood: Model = {
    name: "scripted/flood",
    async *ask(_, signal) {
      yield { type: "answer-start", model: "flood" };
      for (;;) {
        signal.throwIfAborted();
        made += 1;
        yield { type: "text-delta", text: piece };
      }
    },
  };
  const logged = Promise.withResolvers<LogLine>();
  await using server = await testServer(flood, { log: logged.resolve });
  const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Go." }] });
  const head = [
    "POST /v1/chat/completions HTTP/1.1",
    `Host: ${new URL(server.url).host}`,
    `Authorization: Bearer ${testToken}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  const { socket, closed } = opened(Number(new URL(server.url).port), `${head.join("\r\n")}\r\n\r\n${body}`);
  socket.pause();
  // The model continues until all buffers in between are full; then it makes nothing more in many turns of the loop.
  for (let still = 0, before = 0; still < 2000 && made * piece.length < allowed; before = made) {
    await nextTurn();
    still = made > 0 && made === before ? still + 1 : 0;
  }
  expect(made * piece.length).toBeLessThan(allowed);
  socket.destroy();
  await closed;
  expect(await logged.promise).toMatchObject({ status: 200, broken: true });
});
