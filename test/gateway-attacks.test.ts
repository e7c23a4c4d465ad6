/** A gateway that is attacked costs no memory by it, and serves everybody else meanwhile. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";

const token = "a-token-that-only-this-test-knows-0123456789";
const mebibyte = 1024 ** 2;

type Attacked = { port: number; ask: (method: string, path: string, body?: unknown) => Promise<Response> };

async function stage(megabytes = 1): Promise<Attacked> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-attacked-")));
  const script = join(import.meta.dirname, "gateway-attacked.ts");
  const child: ChildProcess = spawn(process.execPath, [script, root, token, String(megabytes)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
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
  return { port, ask };
}

/** As the gateway itself tells it. */
async function memoryOf({ ask }: Attacked): Promise<number> {
  const text = await (await ask("GET", "/metrics")).text();
  return Number(/^toolwright_memory_bytes (\d+)$/mu.exec(text)?.[1]);
}

async function newSession({ ask }: Attacked): Promise<string> {
  const { id }: { id: string } = JSON.parse(await (await ask("POST", "/sessions", {})).text());
  return id;
}

const say = ({ ask }: Attacked, id: string, text: string) =>
  ask("POST", `/sessions/${id}/commands`, { type: "send", content: [{ type: "text", text }] });

const socketTo = ({ port }: Attacked): WebSocket =>
  new WebSocket(`ws://127.0.0.1:${port}/socket`, ["toolwright", `token.${token}`]);

/** Open connections that send this and nothing more. */
function halfOpen({ port }: Attacked, count: number, text: string): { open: () => number; end: () => void } {
  const sockets = Array.from({ length: count }, (): Socket => {
    const socket = connect(port, "127.0.0.1", () => void socket.write(text));
    return socket.on("error", () => undefined);
  });
  return {
    open: () => sockets.filter(({ closed, destroyed }) => !closed && !destroyed).length,
    end: () => sockets.forEach((socket) => socket.destroy()),
  };
}

test("500 connections that never say what they want hold nobody up, and hardly any of them stays", async () => {
  const gateway = await stage();
  const before = await memoryOf(gateway);
  for (const text of ["", "GET /health HTTP/1.1\r\nhost: 127.0.0.1", "POST /token HTTP/1.1\r\n"]) {
    const attack = halfOpen(gateway, 500, text);
    for (let asked = 0; asked < 20; asked += 1)
      expect((await gateway.ask("GET", "/health")).status).toBe(200);
    await expect.poll(attack.open, { timeout: 10_000 }).toBeLessThanOrEqual(16);
    expect((await gateway.ask("GET", "/health")).status).toBe(200);
    attack.end();
  }
  expect((await memoryOf(gateway)) - before).toBeLessThan(40 * mebibyte);
});

test("more connections than there may be are closed for those that come later", async () => {
  const gateway = await stage();
  const attack = halfOpen(gateway, 1_500, "");
  for (let asked = 0; asked < 20; asked += 1)
    expect((await gateway.ask("GET", "/health")).status).toBe(200);
  await expect.poll(attack.open, { timeout: 10_000 }).toBeLessThanOrEqual(16);
  attack.end();
});

test("a frame of 90 MB is refused before it is held", async () => {
  const gateway = await stage();
  const before = await memoryOf(gateway);
  const socket = socketTo(gateway);
  await once(socket, "open");
  const closed = once(socket, "close");
  socket.on("error", () => undefined);
  socket.send("x".repeat(90_000_000));
  const [code]: unknown[] = await closed;
  expect([1009, 1006]).toContain(code);
  expect((await memoryOf(gateway)) - before).toBeLessThan(20 * mebibyte);
  expect(await (await gateway.ask("GET", "/metrics")).text()).toContain("toolwright_sockets 0\n");
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

test("readers that stop reading cost no memory, are closed with a reason, and lose nothing; others notice nothing", async () => {
  const gateway = await stage(30);
  const id = await newSession(gateway);
  const warm = await newSession(gateway);
  await say(gateway, warm, "much");
  await quiet(gateway, warm);
  const before = await memoryOf(gateway);
  const paused = await Promise.all(Array.from({ length: 20 }, () => pausedReader(gateway, id)));
  const reading = await follower(gateway, id, 0);
  await say(gateway, id, "much");
  const facts = await reading.end;
  expect(facts).toEqual(facts.map((_, index) => index + 1));
  expect(reading.longestWait()).toBeLessThan(2_000);
  const closes = paused.map((socket) => once(socket, "close"));
  await expect
    .poll(async () => (await (await gateway.ask("GET", "/metrics")).text()).match(/^toolwright_sockets \d+$/mu)?.[0], {
      timeout: 15_000,
    })
    .toBe("toolwright_sockets 0");
  expect((await memoryOf(gateway)) - before).toBeLessThan(40 * mebibyte);
  for (const socket of paused) socket.resume();
  for (const [code] of await Promise.all(closes)) expect([1013, 1006]).toContain(code);
  const again = await follower(gateway, id, 3);
  expect((await again.end)[0]).toBe(4);
});

async function quiet({ ask }: Attacked, id: string): Promise<void> {
  const standing = async () => (await ask("GET", `/sessions/${id}`)).json();
  await expect.poll(standing, { timeout: 30_000 }).toMatchObject({ standing: "idle", turns: 1 });
}

/** Reads to the end of a turn; `end` gives the numbers of the facts that came. */
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
    const frame: { events?: { type: string; seq?: number }[] } = JSON.parse(String(data));
    for (const { seq, type } of frame.events ?? []) {
      if (seq !== undefined) facts.push(seq);
      if (type === "turn-end") over.resolve(facts);
    }
  });
  socket.send(JSON.stringify({ type: "follow", id: "f", session: id, after }));
  const end = over.promise.finally(() => socket.close());
  return { end, longestWait: () => longest };
}

test("streams of server-sent events that nobody reads are closed, too", async () => {
  const gateway = await stage(30);
  const id = await newSession(gateway);
  const before = await memoryOf(gateway);
  const request = `GET /sessions/${id}/events HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\nauthorization: Bearer ${token}\r\n\r\n`;
  const sockets = Array.from({ length: 10 }, () => {
    const socket = connect(gateway.port, "127.0.0.1", () => void socket.write(request));
    socket.on("error", () => undefined);
    socket.pause();
    return socket;
  });
  await say(gateway, id, "much");
  await quiet(gateway, id);
  const open = async () => Number((await (await gateway.ask("GET", "/metrics")).text()).match(/^toolwright_followers (\d+)$/mu)?.[1]);
  await expect.poll(open, { timeout: 15_000 }).toBe(0);
  expect((await memoryOf(gateway)) - before).toBeLessThan(40 * mebibyte);
  for (const socket of sockets) socket.destroy();
});
