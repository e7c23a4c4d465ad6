/** What a socket's outbox sends, and what it drops. */

import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { isObject } from "../base/json.ts";
import { mostAheadBytes } from "./bounds.ts";
import { GatewayCounts } from "./counts.ts";
import { Outbox } from "./outbox.ts";
import { framesOf } from "./testing/raw.ts";

/** Both ends of a connection: an outbox, and the frames the client receives. */
async function stage() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const address = server.address();
  const client = new WebSocket(`ws://127.0.0.1:${isObject(address) ? String(address["port"]) : ""}`);
  const outbox = new Promise<Outbox>((resolve) => {
    server.once("connection", (socket) => resolve(new Outbox(socket, new GatewayCounts())));
  });
  onTestFinished(async () => {
    client.terminate();
    await new Promise((resolve) => server.close(resolve));
  });
  await once(client, "open");
  return { outbox: await outbox, heard: framesOf(client) };
}

test("pending events of a session that was left are dropped, those of others are sent", async () => {
  const { outbox, heard } = await stage();
  const first = heard.next();
  outbox.facts("left", ['{"seq":1}']);
  outbox.facts("left", ['{"seq":2}']);
  outbox.facts("followed", ['{"seq":3}']);
  outbox.drop("left");
  outbox.drop("never followed");
  expect((await first).value).toEqual({ type: "events", id: "followed", events: [{ seq: 3 }] });
  outbox.facts("left", ['{"seq":4}']);
  expect((await heard.next()).value).toEqual({ type: "events", id: "left", events: [{ seq: 4 }] });
});

test("dropped events do not take up room in the outbox", async () => {
  const { outbox } = await stage();
  const asked: string[] = [];
  outbox.facts("left", [JSON.stringify("x".repeat(mostAheadBytes + 1))]);
  outbox.drop("left");
  const space = outbox.untilSpace().then(() => asked.push("space"));
  await Promise.resolve().then(() => asked.push("a moment later"));
  await space;
  expect(asked[0]).toBe("space");
});
