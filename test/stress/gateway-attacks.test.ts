/** An attacked gateway uses little memory, and serves everybody else meanwhile. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { mostAheadBytes, stalledTimeMs } from "../../src/gateway/bounds.ts";
import { mostStrangersOfAddress } from "../../src/gateway/connections.ts";
import { textOf } from "../../src/gateway/testing/raw.ts";

const token = "a-token-that-only-this-test-knows-0123456789";
const mebibyte = 1024 ** 2;
/** Clients that stop reading. */
const readers = 20;
/** Bytes that each of them may occupy: text and bytes buffered for it, and what the log has read for it. */
const heldBytes = 4 * mostAheadBytes;
/** The strangers that may stay, plus the connection that asks. */
const fewConnections = mostStrangersOfAddress + 1;

type Attacked = {
  port: number;
  ask: (method: string, path: string, body?: unknown) => Promise<Response>;
  /** Bytes in use, without garbage. */
  held: () => Promise<number>;
};

async function stage(megabytes = 1): Promise<Attacked> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-attacked-")));
  const script = join(import.meta.dirname, "../support/gateway-attacked.ts");
  const parts = ["--expose-gc", script, root, token, String(megabytes)];
  const child: ChildProcess = spawn(process.execPath, parts, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  onTestFinished(async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    await rm(root, { recursive: true, force: true });
  });
  if (!child.stdout) throw new Error("The gateway has no output.");
  const [told]: unknown[] = await once(child.stdout, "data");
  const port = Number(String(told));
  const ask: Attacked["ask"] = (method, path, body) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const held = async (): Promise<number> => {
    const answered = once(child, "message");
    child.send("held");
    return Number((await answered)[0]);
  };
  return { port, ask, held };
}

const memoryOf = (gateway: Attacked): Promise<number> => figure(gateway, "memory_bytes");

async function newSession({ ask }: Attacked): Promise<string> {
  const { id }: { id: string } = JSON.parse(await (await ask("POST", "/sessions", {})).text());
  return id;
}

const say = ({ ask }: Attacked, id: string, text: string) =>
  ask("POST", `/sessions/${id}/commands`, { type: "send", content: [{ type: "text", text }] });

const socketTo = ({ port }: Attacked): WebSocket =>
  new WebSocket(`ws://127.0.0.1:${port}/socket`, ["toolwright", `token.${token}`]);

/** Opens connections that send this and nothing more; returns a function that closes them. */
function halfOpen({ port }: Attacked, count: number, text: string): () => void {
  const sockets = Array.from({ length: count }, (): Socket => {
    const socket = connect(port, "127.0.0.1", () => void socket.write(text));
    return socket.on("error", () => undefined);
  });
  return () => sockets.forEach((socket) => socket.destroy());
}

/**
 * The gateway's count, not the client's: on a system with SYN cookies, a client believes in connections that the gateway
 * never accepted.
 */
const fewStay = (gateway: Attacked): Promise<void> =>
  expect.poll(() => figure(gateway, "connections")).toBeLessThanOrEqual(fewConnections);

test("500 connections that never finish a request block nobody, and few of them stay open", async () => {
  const gateway = await stage();
  const before = await gateway.held();
  for (const text of ["", "GET /health HTTP/1.1\r\nhost: 127.0.0.1", "POST /token HTTP/1.1\r\n"]) {
    const endAttack = halfOpen(gateway, 500, text);
    for (let asked = 0; asked < 20; asked += 1)
      expect((await gateway.ask("GET", "/health")).status).toBe(200);
    await fewStay(gateway);
    expect((await gateway.ask("GET", "/health")).status).toBe(200);
    endAttack();
  }
  expect((await gateway.held()) - before).toBeLessThan(10 * mebibyte);
});

test("connections beyond the limit are closed to make room for later ones", async () => {
  const gateway = await stage();
  const endAttack = halfOpen(gateway, 1_500, "");
  for (let asked = 0; asked < 20; asked += 1) expect((await gateway.ask("GET", "/health")).status).toBe(200);
  await fewStay(gateway);
  endAttack();
});

test("a frame of 90 MB is refused before it is buffered", async () => {
  const gateway = await stage();
  const before = await memoryOf(gateway);
  const socket = socketTo(gateway);
  await once(socket, "open");
  const closed = once(socket, "close");
  socket.on("error", () => undefined);
  socket.send("x".repeat(90_000_000));
  const [code]: unknown[] = await closed;
  expect([1009, 1006]).toContain(code);
  expect((await memoryOf(gateway)) - before).toBeLessThan(60 * mebibyte); // freed memory may not have been returned yet
  await expect.poll(() => figure(gateway, "sockets")).toBe(0);
});

/** Follows a session, and stops reading what comes. */
async function pausedReader(gateway: Attacked, id: string): Promise<WebSocket> {
  const socket = socketTo(gateway);
  socket.on("error", () => undefined);
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "follow", id: "f", session: id, after: 0 }));
  await once(socket, "message");
  socket.pause();
  return socket;
}

test("clients that stop reading use little memory, and are disconnected", async () => {
  const gateway = await stage(30);
  const id = await longSession(gateway);
  await (
    await follower(gateway, id, 0)
  ).end;
  const before = await gateway.held();
  const paused = await Promise.all(Array.from({ length: readers }, () => pausedReader(gateway, id)));
  const closes = paused.map((socket) => once(socket, "close"));
  expect(await heldUntilGone(gateway, "sockets")).toBeLessThan(before + readers * heldBytes);
  for (const socket of paused) socket.resume();
  for (const [code] of await Promise.all(closes)) expect([1013, 1006]).toContain(code);
});

test("a reading client is not delayed by 20 stalled ones, and a client can resume without losing facts", async () => {
  const gateway = await stage(10);
  const id = await newSession(gateway);
  const paused = await Promise.all(Array.from({ length: 20 }, () => pausedReader(gateway, id)));
  const reading = await follower(gateway, id, 0);
  await say(gateway, id, "much");
  const facts = await reading.end;
  expect(facts).toEqual(facts.map((_, index) => index + 1));
  expect(reading.longestWait()).toBeLessThan(stalledTimeMs);
  for (const socket of paused) socket.terminate();
  const again = await follower(gateway, id, 3);
  expect(await again.end).toEqual(facts.slice(3));
});

/** A session with much output that is idle. */
async function longSession(gateway: Attacked): Promise<string> {
  const id = await newSession(gateway);
  await say(gateway, id, "much");
  await quiet(gateway, id);
  return id;
}

/** A value from the gateway's metrics. */
async function figure({ ask }: Attacked, name: string): Promise<number> {
  const text = await (await ask("GET", "/metrics")).text();
  return Number(new RegExp(`^toolwright_${name} (\\d+)$`, "mu").exec(text)?.[1]);
}

/** The least memory seen while all readers are stalled (garbage is collected late); waits until the last is gone. */
async function heldUntilGone(gateway: Attacked, name: "sockets" | "followers"): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let left = readers; left > 0; left = await figure(gateway, name)) {
    if (left === readers) least = Math.min(least, await gateway.held());
    await setTimeout(100);
  }
  return least;
}

async function quiet({ ask }: Attacked, id: string): Promise<void> {
  const standing = async () => (await ask("GET", `/sessions/${id}`)).json();
  await expect.poll(standing).toMatchObject({ standing: "idle", turns: 1 });
}

/** Reads to the end of a turn; `end` resolves to the sequence numbers of the facts received. */
async function follower(gateway: Attacked, id: string, after: number) {
  const socket = socketTo(gateway);
  await once(socket, "open");
  const facts: number[] = [];
  let heardAt = Date.now();
  let longest = 0;
  const over = Promise.withResolvers<number[]>();
  socket.on("message", (data) => {
    longest = Math.max(longest, Date.now() - heardAt);
    heardAt = Date.now();
    const frame: { events?: { type: string; seq?: number }[] } = JSON.parse(textOf(data));
    for (const { seq, type } of frame.events ?? []) {
      if (seq !== undefined) facts.push(seq);
      if (type === "turn-end") over.resolve(facts);
    }
  });
  socket.send(JSON.stringify({ type: "follow", id: "f", session: id, after }));
  const end = over.promise.finally(() => socket.close());
  return { end, longestWait: () => longest };
}

test("server-sent event streams that nobody reads are closed, too", async () => {
  const gateway = await stage(30);
  const id = await longSession(gateway);
  await (
    await follower(gateway, id, 0)
  ).end;
  const before = await gateway.held();
  const request = `GET /sessions/${id}/events HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\nauthorization: Bearer ${token}\r\n\r\n`;
  const sockets = Array.from({ length: readers }, () => {
    const socket = connect(gateway.port, "127.0.0.1", () => void socket.write(request));
    socket.on("error", () => undefined);
    return socket.pause();
  });
  await expect.poll(() => figure(gateway, "followers")).toBe(readers);
  expect(await heldUntilGone(gateway, "followers")).toBeLessThan(before + readers * heldBytes);
  for (const socket of sockets) socket.destroy();
});
