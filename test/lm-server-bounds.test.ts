/** Clients that send or read nothing cost the language-model server little, and block others only briefly. */

import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { sleep } from "../src/base/async.ts";
import { bounds } from "../src/base/bounds.ts";
import type { Model } from "../src/providers/provider.ts";
import { scripted } from "../src/providers/scripted.ts";
import { askServer, testServer, testToken } from "../src/surfaces/lm-server/testing-server.ts";

const { connections, headersTime } = bounds.lmServer;
const halfOpen = 500;

/** Resolves with the received text when the connection is closed. */
function opened(port: number, text: string): { socket: Socket; closed: Promise<string> } {
  let heard = "";
  const socket = connect(port, "127.0.0.1", () => socket.write(text));
  socket.on("data", (data) => (heard += data.toString()));
  socket.on("error", () => undefined);
  return { socket, closed: new Promise((resolve) => socket.on("close", () => resolve(heard))) };
}

test("500 connections that never finish a request are closed in time, and the server still answers", async () => {
  await using server = await testServer(scripted(() => [{ say: "Hello." }]));
  const port = Number(new URL(server.url).port);
  const started = performance.now();
  const all = Array.from({ length: halfOpen }, () =>
    opened(port, "POST /api/chat HTTP/1.1\r\nHost: x\r\nX-Slow:"),
  );
  const heard = await Promise.all(all.map(({ closed }) => closed));
  const took = performance.now() - started;
  expect(heard.filter((text) => text !== "" && !text.startsWith("HTTP/1.1 408"))).toEqual([]);
  expect(heard.filter((text) => text === "").length).toBeGreaterThanOrEqual(halfOpen - connections.most);
  expect(took, "Node's own patience is a minute").toBeLessThan(5 * headersTime.most);
  expect((await askServer(server, "/")).status).toBe(200);
});

test("a client that does not read slows the model down instead of filling memory", async () => {
  const piece = "x".repeat(64 * 1024);
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
  await using server = await testServer(flood);
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
  // The model continues until all buffers in between are full; then it makes nothing more for a while.
  const stoodStill = async (): Promise<boolean> => {
    const before = made;
    await sleep(200);
    return before > 0 && made === before;
  };
  while (!(await stoodStill()));
  expect(made * piece.length).toBeLessThan(16 * 1024 ** 2);
  socket.destroy();
  await closed;
  while (server.lines.length === 0) await sleep(5);
  expect(server.lines).toMatchObject([{ status: 200, broken: true }]);
});
