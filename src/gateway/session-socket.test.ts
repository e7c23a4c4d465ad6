/** Many sessions on one connection: followed, left, commanded and watched; and invalid frames. */

import { readFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import type { WebSocket } from "ws";
import { type ModelScript, scriptedModel } from "../providers/scripted-model.ts";
import { testGateway, type TestGateway } from "../testing/gateway.ts";
import { closeOf, framesOf } from "./testing/raw.ts";

async function stage(script: ModelScript = [], pieces?: number): Promise<TestGateway> {
  const gateway = await testGateway(scriptedModel(script, pieces === undefined ? {} : { pieces }));
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  return gateway;
}

type Frame = {
  type: string;
  id?: string;
  events?: { type: string; seq?: number }[];
  [more: string]: unknown;
};

class Client {
  readonly socket: WebSocket;
  readonly #frames: AsyncIterator<Record<string, unknown>, void>;
  readonly #ready: Promise<unknown>;

  constructor(gateway: TestGateway) {
    this.socket = gateway.socket();
    this.#frames = framesOf(this.socket);
    this.#ready = new Promise((resolve) => void this.socket.on("open", resolve));
    onTestFinished(() => this.socket.terminate());
  }

  async send(frame: unknown): Promise<void> {
    await this.#ready;
    this.socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  /** The next matching frame; earlier ones are dropped. */
  async next(isMeant: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const { value } = await this.#frames.next();
      if (!value) throw new Error("The socket was closed before that came.");
      const frame = value as Frame;
      if (isMeant(frame)) return frame;
    }
  }

  /** Events with this follow id, up to the last one wanted. */
  async events(id: string, isLast: (event: { type: string }) => boolean) {
    const all: { type: string; seq?: number }[] = [];
    for (;;) {
      const { events = [] } = await this.next((frame) => frame.type === "events" && frame.id === id);
      all.push(...events);
      if (events.some(isLast)) return all;
    }
  }
}

const isEnd = ({ type }: { type: string }): boolean => type === "turn-end";
const words = (session: string, id = "c") => ({
  type: "command",
  id,
  session,
  command: { type: "send", content: [{ type: "text", text: "hi" }] },
});
const seqs = (events: readonly { seq?: number }[]): number[] => events.flatMap(({ seq }) => seq ?? []);
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

test("a client is welcomed, follows two sessions at once, and gets outcomes by command id", async () => {
  const gateway = await stage(() => [{ say: "Hello." }]);
  const client = new Client(gateway);
  expect(await client.next(() => true)).toEqual({ type: "welcome", version: "0.0.0" });
  const [one, two] = [await gateway.newSession(), await gateway.newSession()];
  await client.send({ type: "follow", id: "1", session: one, after: 0 });
  await client.send({ type: "follow", id: "2", session: two, after: 0 });
  await client.send(words(one, "first"));
  expect(await client.next(({ type }) => type === "outcome")).toEqual({
    type: "outcome",
    id: "first",
    outcome: { ok: true },
  });
  await client.send({ type: "follow", id: "again", session: one, after: 0 });
  const facts = seqs(await client.events("again", isEnd));
  expect(facts).toEqual(upTo(facts.length));
  await client.send(words(two, "second"));
  expect(seqs(await client.events("2", isEnd)).length).toBeGreaterThan(3);
});

test("events that are ready together are sent in one frame", async () => {
  const gateway = await stage([[{ say: "Hello." }]]);
  const id = await gateway.newSession();
  const client = new Client(gateway);
  await client.send(words(id));
  await expect.poll(() => gateway.test.host.row(id)).toMatchObject({ standing: "idle", turns: 1 });
  await client.send({ type: "follow", id: "f", session: id, after: 0 });
  const frame = await client.next(({ type }) => type === "events");
  expect(frame.events?.length).toBeGreaterThan(3);
});

test("reusing a follow id replaces the followed session, and leaving ends its events", async () => {
  const gateway = await stage(() => [{ say: "Hello." }]);
  const [one, two] = [await gateway.newSession(), await gateway.newSession()];
  const client = new Client(gateway);
  await client.send({ type: "follow", id: "f", session: one, after: 0 });
  await client.next(({ type }) => type === "events");
  await client.send({ type: "follow", id: "f", session: two, after: 1 });
  await client.send(words(one));
  await client.next(({ type }) => type === "outcome");
  await expect.poll(async () => (await gateway.test.host.row(one))?.standing).toBe("idle");
  await client.send(words(two));
  expect(seqs(await client.events("f", isEnd))[0]).toBe(2);
  expect(gateway.test.host.figures().followers).toBe(1);
  await client.send({ type: "leave", id: "f" });
  await client.send({ type: "leave", id: "never" });
  await expect.poll(() => gateway.test.host.figures().followers).toBe(0);
  await client.send(words(two));
  await client.send({ type: "ping" });
  await client.next(({ type }) => type === "pong");
});

test("following or commanding a missing session is answered under its id", async () => {
  const gateway = await stage();
  const client = new Client(gateway);
  await client.send({ type: "follow", id: "f", session: "none", after: 0 });
  expect(await client.next(({ type }) => type === "left")).toMatchObject({
    id: "f",
    code: "no-such-session",
  });
  await client.send(words("none"));
  expect(await client.next(({ type }) => type === "outcome")).toMatchObject({
    id: "c",
    outcome: { ok: false },
  });
  expect(gateway.logged).toEqual([]);
});

test("a client that follows a deleted session is sent left", async () => {
  const gateway = await stage();
  const id = await gateway.newSession();
  const client = new Client(gateway);
  await client.send({ type: "follow", id: "f", session: id, after: 0 });
  await client.next(({ type }) => type === "events");
  await gateway.ask("DELETE", `/sessions/${id}`);
  expect(await client.next(({ type }) => type === "left")).toMatchObject({
    id: "f",
    code: "no-such-session",
    message: expect.stringContaining("deleted"),
  });
});

const edit = { call: "write_file", with: { path: "a.txt", content: "new" } };

test("B13: an approval is denied while no person is present, even if a program follows", async () => {
  const gateway = await stage(() => [edit]);
  const { body } = await gateway.ask("POST", "/sessions", { mode: "ask" });
  const { id } = body as { id: string };
  const client = new Client(gateway);
  await client.send({ type: "follow", id: "f", session: id, after: 0 });
  await client.send(words(id));
  const events = await client.events("f", ({ type }) => type === "result" || type === "approval-asked");
  expect(events.map(({ type }) => type)).not.toContain("approval-asked");
  expect(JSON.stringify(events)).toContain('"verdict":"deny"');
});

test("B13: with a person present the approval is asked, and the answer is carried out", async () => {
  const gateway = await stage([[edit], [{ say: "Done." }]]);
  const { body } = await gateway.ask("POST", "/sessions", { mode: "ask" });
  const { id } = body as { id: string };
  const client = new Client(gateway);
  await client.send({ type: "follow", id: "f", session: id, after: 0, person: true });
  await client.send(words(id));
  const asked = (await client.events("f", ({ type }) => type === "approval-asked")).at(-1);
  const { callId } = asked as unknown as { callId: string };
  const answer = { type: "answer-approval", callId, answer: "allow", scope: "once", by: "test" };
  await client.send({ type: "command", id: "a", session: id, command: answer });
  await client.events("f", isEnd);
  expect(await readFile(`${gateway.test.workspace}/a.txt`, "utf8")).toBe("new");
});

test("a watching client gets the list of sessions immediately and on every change, until it unwatches", async () => {
  const gateway = await stage(() => [{ say: "Hello." }]);
  const client = new Client(gateway);
  await client.send({ type: "watch", limit: 10 });
  expect(await client.next(({ type }) => type === "sessions")).toMatchObject({ sessions: [], more: false });
  const id = await gateway.newSession();
  const hasIt = (frame: Frame): boolean => frame.type === "sessions" && JSON.stringify(frame).includes(id);
  await client.next(hasIt);
  await client.send(words(id));
  await client.next((frame) => hasIt(frame) && JSON.stringify(frame).includes('"turns":1'));
  await client.send({ type: "unwatch" });
  await client.send({ type: "ping" });
  await client.next(({ type }) => type === "pong");
});

test("an invalid frame gets an error and the connection stays open, until there are too many", async () => {
  const gateway = await stage();
  const client = new Client(gateway);
  const broken = [
    "",
    "{",
    "null",
    "5",
    '"x"',
    "[]",
    "{}",
    '{"type":"dance"}',
    '{"type":"follow"}',
    '{"type":"follow","id":"f","session":"s","after":"0"}',
    '{"type":"command","id":"c","session":"s","command":{"type":"send"}}',
    '{"type":"command","id":"c","session":"s","command":{"type":"explode"}}',
    `{"type":"ping","x":${"[".repeat(70)}${"]".repeat(70)}}`,
    "[".repeat(500_000),
  ];
  for (const frame of broken) {
    await client.send(frame);
    expect(await client.next(({ type }) => type !== "welcome"), frame.slice(0, 60)).toEqual({
      type: "error",
      code: "bad-frame",
      message: expect.any(String),
      // Whoever sent a command learns what became of it.
      ...(frame.includes('"command"') ? { id: "c" } : {}),
    });
  }
  await client.send({ type: "ping" });
  await client.next(({ type }) => type === "pong");
  const closed = closeOf(client.socket);
  for (let sent = 0; sent < 60; sent += 1) await client.send("{");
  expect((await closed).code).toBe(4429);
});

test("a binary frame, an oversized frame or too many frames close the connection", async () => {
  const gateway = await stage();
  const ends: [number, (client: Client) => Promise<void>][] = [
    [1003, async ({ socket }) => socket.send(Buffer.from("{}"))],
    [1009, (client) => client.send("x".repeat(1024 ** 2 + 1))],
    [
      4429,
      async (client) => {
        for (let sent = 0; sent < 3_000; sent += 1) await client.send('{"type":"ping"}');
      },
    ],
  ];
  for (const [code, act] of ends) {
    const client = new Client(gateway);
    await client.next(({ type }) => type === "welcome");
    const closed = closeOf(client.socket);
    await act(client);
    expect((await closed).code).toBe(code);
  }
});

test("a client that floods the socket with pings is closed", async () => {
  const gateway = await stage();
  const client = new Client(gateway);
  await client.next(({ type }) => type === "welcome");
  const closed = closeOf(client.socket);
  for (let sent = 0; sent < 10_000; sent += 1) client.socket.ping();
  expect([4429, 1006]).toContain((await closed).code);
  const other = new Client(gateway);
  await other.send({ type: "ping" });
  await other.next(({ type }) => type === "pong");
});

test("a closing gateway closes its sockets with 1001 and a reason", async () => {
  const gateway = await testGateway(scriptedModel([]));
  const socket = gateway.socket();
  await new Promise((resolve) => void socket.on("open", resolve));
  const closed = closeOf(socket);
  await gateway.close();
  expect(await closed).toEqual({ code: 1001, reason: "The gateway is stopping." });
  await gateway.test.remove();
});
