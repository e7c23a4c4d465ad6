/** Many sockets that open one long session at the same moment keep nobody else waiting. */

import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import type { Entry, Signal } from "../protocol/facts.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testGateway } from "../testing/gateway.ts";
import { eventJson } from "./following.ts";

const session = "20260101-000000-000001";
const count = 2_000;
const sockets = 30;

async function stage() {
  const gateway = await testGateway(scriptedModel([]));
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  const { store, workspace } = gateway.test;
  await store.create({ id: session, workspace, createdAt: 1 });
  const epoch = await store.claim(session);
  const stamp = (seq: number) => ({ v: 1, seq, at: seq, turn: 0 });
  const start: Entry = { type: "session-start", session, workspace, version: "0.0.0", ...stamp(1) };
  const notes = Array.from({ length: count - 1 }, (_, at): Entry => ({
    type: "warning",
    code: "note",
    text: "x".repeat(300),
    ...stamp(at + 2),
  }));
  await store.append(session, epoch, [start, ...notes]);
  await store.release(session, epoch);
  return gateway;
}

test("an event is written once, for however many follow", () => {
  let written = 0;
  const event: Signal = {
    type: "text-delta",
    block: 1,
    offset: 0,
    get text() {
      written += 1;
      return "Hello";
    },
  };
  const texts = Array.from({ length: 3 }, () => eventJson(event));
  expect(new Set(texts)).toEqual(new Set(['{"type":"text-delta","block":1,"offset":0,"text":"Hello"}']));
  expect(written).toBe(1);
});

test("a request is answered while many sockets get a long session, each of them whole and in order", async () => {
  const gateway = await stage();
  const opened = Array.from({ length: sockets }, () => gateway.socket());
  await Promise.all(opened.map((socket) => once(socket, "open")));
  const seen = opened.map((): number[] => []);
  const all = opened.map(
    (socket, at) =>
      new Promise<void>((resolve) => {
        socket.on("message", (data: Buffer) => {
          const frame: { events?: { seq: number }[] } = JSON.parse(data.toString());
          seen[at]?.push(...(frame.events ?? []).map(({ seq }) => seq));
          if (seen[at]?.length === count) resolve();
        });
      }),
  );
  for (const socket of opened) socket.send(JSON.stringify({ type: "follow", id: "1", session, after: 0 }));
  await Promise.race(opened.map((socket) => once(socket, "message")));
  expect((await gateway.ask("GET", "/sessions")).status).toBe(200);
  expect(seen.some((facts) => facts.length < count)).toBe(true);
  await Promise.all(all);
  for (const facts of seen) expect(facts).toEqual(Array.from({ length: count }, (_, at) => at + 1));
  for (const socket of opened) socket.terminate();
});
