import { once } from "node:events";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { WebSocketServer, type WebSocket } from "ws";
import { isObject } from "../base/json.ts";
import type { Entry, Signal } from "../protocol/facts.ts";
import { connect, type ConnectOptions } from "./client.ts";
import { clientFrame, closeCodes, type ClientFrame, type ServerFrame } from "./frames.ts";
import type { LiveConnection } from "./live.ts";
import type { SocketLike } from "./socket.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

type Peer = { socket: WebSocket; tell: (frame: ServerFrame) => void };
type Heard = (frame: ClientFrame, peer: Peer) => void;

/** A gateway's socket with scripted replies. */
async function gateway(hear: Heard, opened: (peer: Peer) => void = welcome) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => "toolwright" });
  await once(server, "listening");
  const protocols: unknown[] = [];
  server.on("connection", (socket, request) => {
    const peer: Peer = { socket, tell: (frame) => socket.send(JSON.stringify(frame)) };
    protocols.push(request.headers["sec-websocket-protocol"]);
    socket.on("message", (data: Buffer) => hear(clientFrame.parse(JSON.parse(data.toString())), peer));
    opened(peer);
  });
  const address = server.address();
  closing.push(() => {
    for (const socket of server.clients) socket.terminate();
    return new Promise((resolve) => server.close(resolve));
  });
  const port = isObject(address) ? String(address["port"]) : "";
  return { url: `http://127.0.0.1:${port}`, server, protocols };
}

const welcome = (peer: Peer): void => peer.tell({ type: "welcome", version: "1" });

function live(url: string, options: Partial<ConnectOptions> = {}): LiveConnection {
  const made = connect({ url, token: "secret", random: () => 0, ...options }).live();
  closing.push(() => made.close());
  return made;
}

const fact = (seq: number): Entry => ({ type: "warning", code: "w", text: "…", v: 1, seq, at: seq, turn: 1 });
const facts = (from: number, to: number): Entry[] =>
  Array.from({ length: to - from + 1 }, (_, at) => fact(from + at));
const delta: Signal = { type: "text-delta", block: 1, offset: 0, text: "so far" };

async function take(events: AsyncIterable<Entry | Signal>, until: number): Promise<(number | string)[]> {
  const told: (number | string)[] = [];
  for await (const event of events) {
    told.push("seq" in event ? event.seq : event.type);
    if ("seq" in event && event.seq === until) break;
  }
  return told;
}

/** Sends all facts up to `most`, with a given number per frame, and cuts the connection after a number of frames. */
const telling =
  (most: number, cuts: number[], each: number): Heard =>
  (frame, { tell, socket }) => {
    if (frame.type !== "follow") return;
    let left = cuts.shift() ?? Infinity;
    for (let from = frame.after + 1; from <= most; from += each) {
      if (left-- <= 0) return socket.terminate();
      tell({ type: "events", id: frame.id, events: facts(from, Math.min(most, from + each - 1)) });
    }
  };

test("a followed session yields each fact once and in order, however often the connection breaks", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 6 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 12 }),
      async (cuts, each, after) => {
        const { url } = await gateway(telling(20, [...cuts], each));
        const told = await take(live(url).follow("s", { after }), 20);
        expect(told).toEqual(facts(after + 1, 20).map(({ seq }) => seq));
      },
    ),
    { numRuns: 25 },
  );
});

test("a duplicate fact is yielded once, and after a gap the rest is requested again", async () => {
  const asked: number[] = [];
  const { url } = await gateway((frame, { tell }) => {
    if (frame.type !== "follow") return;
    asked.push(frame.after);
    const events = asked.length === 1 ? [...facts(1, 3), ...facts(2, 3), ...facts(6, 8)] : facts(4, 9);
    tell({ type: "events", id: frame.id, events });
  });
  expect(await take(live(url).follow("s"), 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(asked).toEqual([0, 3]);
});

test("a gateway that repeatedly omits facts makes following fail", async () => {
  const { url } = await gateway((frame, { tell }) => {
    if (frame.type === "follow") tell({ type: "events", id: frame.id, events: [fact(2)] });
  });
  await expect(take(live(url).follow("s"), 9)).rejects.toMatchObject({ code: "unreadable" });
});

test("late events of an abandoned follow are not attributed to the next one", async () => {
  const peers: Peer[] = [];
  const { url } = await gateway((frame, peer) => {
    if (frame.type === "follow" && frame.id === "1") peers.push(peer);
    if (frame.type !== "follow" || frame.id === "1") return;
    peer.tell({ type: "events", id: "1", events: facts(1, 5) });
    peer.tell({ type: "events", id: frame.id, events: facts(3, 4) });
  });
  const connection = live(url);
  const leaving = new AbortController();
  const first = take(connection.follow("s", { signal: leaving.signal }), 5);
  await expect.poll(() => peers.length).toBe(1);
  leaving.abort();
  expect(await first).toEqual([]);
  expect(await take(connection.follow("s", { after: 2 }), 4)).toEqual([3, 4]);
});

test("signals are passed on, and start over with a new connection", async () => {
  let connections = 0;
  const { url } = await gateway((frame, { tell, socket }) => {
    if (frame.type !== "follow") return;
    connections += 1;
    if (connections === 1) tell({ type: "events", id: frame.id, events: [fact(1), delta] });
    else tell({ type: "events", id: frame.id, events: [delta, fact(2)] });
    if (connections === 1) socket.close();
  });
  expect(await take(live(url).follow("s"), 2)).toEqual([1, "text-delta", "text-delta", 2]);
});

test("the session of a slow reader is left, and followed again once it has read", async () => {
  const big = (seq: number): Entry => ({
    ...fact(seq),
    type: "warning",
    code: "w",
    text: "x".repeat(2 ** 20),
  });
  const heard: ClientFrame["type"][] = [];
  const { url } = await gateway((frame, { tell }) => {
    heard.push(frame.type);
    if (frame.type !== "follow") return;
    for (let seq = frame.after + 1; seq <= 30; seq += 1)
      tell({ type: "events", id: frame.id, events: [big(seq)] });
  });
  const told: number[] = [];
  for await (const event of live(url).follow("s")) {
    if (!("seq" in event)) continue;
    if (event.seq === 1) await expect.poll(() => heard).toContain("leave");
    told.push(event.seq);
    if (event.seq === 30) break;
  }
  expect(told).toEqual(facts(1, 30).map(({ seq }) => seq));
  expect(heard.filter((type) => type === "follow").length).toBeGreaterThan(1);
});

test("following a missing session rejects with the gateway's message", async () => {
  const { url } = await gateway((frame, { tell }) => {
    if (frame.type === "follow")
      tell({ type: "left", id: frame.id, code: "no-such-session", message: "There is no such session." });
  });
  await expect(take(live(url).follow("s"), 1)).rejects.toMatchObject({
    name: "GatewayError",
    code: "no-such-session",
    message: "There is no such session.",
  });
});

test("a command resolves to its outcome, and the token is sent as a subprotocol", async () => {
  const { url, protocols } = await gateway((frame, { tell }) => {
    if (frame.type === "command")
      tell({ type: "outcome", id: frame.id, outcome: { ok: false, problem: "No." } });
  });
  expect(await live(url).command("s", { type: "interrupt" })).toEqual({ ok: false, problem: "No." });
  expect(protocols).toEqual(["toolwright, token.secret"]);
});

test("a command that the gateway cannot understand is rejected with its reason", async () => {
  const { url } = await gateway((frame, { tell }) => {
    if (frame.type === "command")
      tell({ type: "error", id: frame.id, code: "bad-frame", message: '"by" is missing.' });
  });
  await expect(live(url).command("s", { type: "interrupt" })).rejects.toMatchObject({
    name: "GatewayError",
    code: "bad-frame",
    message: '"by" is missing.',
  });
});

test("a message is resent over the next connection under the same id until it has an outcome", async () => {
  const ids: (string | undefined)[] = [];
  const { url } = await gateway((frame, { socket, tell }) => {
    if (frame.type !== "command" || frame.command.type !== "send") return;
    ids.push(frame.command.id);
    if (ids.length < 3) socket.terminate();
    else tell({ type: "outcome", id: frame.id, outcome: { ok: true } });
  });
  const content = [{ type: "text" as const, text: "Hello." }];
  expect(await live(url).command("s", { type: "send", content })).toEqual({ ok: true });
  expect(ids).toHaveLength(3);
  expect(ids[0]).toMatch(/^[0-9a-f]{32}$/u);
  expect(new Set(ids).size).toBe(1);
});

test("commands work on a page without TLS, where crypto.randomUUID is missing", async () => {
  const { crypto } = globalThis;
  vi.stubGlobal("crypto", {
    getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes),
  });
  closing.push(() => vi.unstubAllGlobals());
  const { url } = await gateway((frame, { tell }) => {
    if (frame.type === "command") tell({ type: "outcome", id: frame.id, outcome: { ok: true } });
  });
  expect(await live(url).command("s", { type: "go-on" })).toEqual({ ok: true });
});

test("a command whose connection breaks before the outcome is rejected as unknown and not resent", async () => {
  let commands = 0;
  const { url } = await gateway((frame, { socket, tell }) => {
    if (frame.type !== "command") return;
    commands += 1;
    if (commands === 1) socket.terminate();
    else tell({ type: "outcome", id: frame.id, outcome: { ok: true } });
  });
  const connection = live(url);
  await expect(connection.command("s", { type: "interrupt" })).rejects.toMatchObject({
    code: "outcome-unknown",
  });
  expect(await connection.command("s", { type: "go-on" })).toEqual({ ok: true });
  expect(commands).toBe(2);
});

test("a command given before the connection is open is sent once it opens", async () => {
  const { url } = await gateway((frame, { tell }) => {
    if (frame.type === "command") tell({ type: "outcome", id: frame.id, outcome: { ok: true } });
  });
  const connection = live(url);
  expect(connection.state().type).toBe("connecting");
  expect(await connection.command("s", { type: "go-on" })).toEqual({ ok: true });
  connection.close();
  await expect(connection.command("s", { type: "go-on" })).rejects.toMatchObject({ code: "closed" });
});

test("a rejected token is not retried, and every pending call fails", async () => {
  const { url, server } = await gateway(
    () => undefined,
    ({ socket }) => socket.close(closeCodes.unauthorized, "This token is not known."),
  );
  let connections = 0;
  server.on("connection", () => (connections += 1));
  const connection = live(url);
  await expect(take(connection.follow("s"), 1)).rejects.toMatchObject({ status: 401, code: "unauthorized" });
  await expect(connection.command("s", { type: "go-on" })).rejects.toMatchObject({ code: "unauthorized" });
  await expect(connection.watch(3).next()).rejects.toMatchObject({ code: "unauthorized" });
  expect(connection.state()).toEqual({ type: "refused", because: "This token is not known." });
  expect(connections).toBe(1);
});

test("the waiting state has the time of the next attempt, and coming online triggers one", async () => {
  const { url, server } = await gateway(() => undefined);
  const network = new EventTarget();
  const connection = live(url, { random: () => 1, network });
  await expect.poll(() => connection.state().type).toBe("open");
  const before = Date.now();
  for (const socket of server.clients) socket.close(closeCodes.stopping, "It is stopping.");
  await expect.poll(() => connection.state().type).toBe("waiting");
  const state = connection.state();
  expect(state).toMatchObject({ because: "It is stopping." });
  expect(state.type === "waiting" ? state.until - before : 0).toBeGreaterThanOrEqual(500);
  network.dispatchEvent(new Event("online"));
  expect(connection.state().type).toBe("connecting");
  await expect.poll(() => connection.state().type).toBe("open");
});

test("closing ends all readers without an error and sets the state to closed", async () => {
  const { url } = await gateway(telling(3, [], 3));
  const connection = live(url);
  const states: string[] = [];
  const told = (async () => {
    for await (const { type } of connection.states()) states.push(type);
  })();
  const watching = connection.watch(3).next();
  const followed: number[] = [];
  for await (const event of connection.follow("s")) {
    if ("seq" in event) followed.push(event.seq);
    if (followed.length === 3) connection.close();
  }
  expect(followed).toEqual([1, 2, 3]);
  expect(await watching).toMatchObject({ done: true });
  await told;
  expect(states).toEqual(["connecting", "open", "closed"]);
});

test("a token that is invalid in a header is refused before anything is sent", async () => {
  const { url } = await gateway(() => undefined);
  const connection = live(url, { token: "not, a token" });
  await expect(take(connection.follow("s"), 1)).rejects.toMatchObject({ code: "unauthorized" });
});

test("malformed frames end the connection, unknown ones are ignored", async () => {
  let connections = 0;
  const { url } = await gateway((frame, { tell, socket }) => {
    if (frame.type !== "follow") return;
    connections += 1;
    const odd = [
      { type: "events", id: frame.id },
      { type: "events", id: frame.id, events: [null] },
      { type: "sessions" },
      { type: "outcome", id: "x", outcome: 3 },
    ][connections - 1];
    if (odd) return socket.send(JSON.stringify(odd));
    socket.send(JSON.stringify({ type: "of a later version" }));
    return tell({ type: "events", id: frame.id, events: facts(1, 2) });
  });
  expect(await take(live(url).follow("s"), 2)).toEqual([1, 2]);
  expect(connections).toBe(5);
});

test("a silent connection is pinged, and replaced if no answer comes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
  closing.push(() => vi.useRealTimers());
  const made: FakeSocket[] = [];
  class FakeSocket implements SocketLike {
    readonly sent: string[] = [];
    #message: ((event: { data: unknown }) => void) | undefined;
    constructor() {
      made.push(this);
    }
    send(data: string): void {
      this.sent.push(data);
    }
    close(): void {}
    addEventListener(
      type: string,
      listener: (event: { data: unknown; code: number; reason: string }) => void,
    ) {
      if (type === "message") this.#message = (event) => listener({ ...event, code: 0, reason: "" });
    }
    say(frame: ServerFrame): void {
      this.#message?.({ data: JSON.stringify(frame) });
    }
  }
  const network = new EventTarget();
  const connection = live("http://gateway:1", { WebSocket: FakeSocket, network });
  made[0]?.say({ type: "welcome", version: "1" });
  const ping = JSON.stringify({ type: "ping" });
  const beats = () => made[0]?.sent.filter((text) => text === ping).length;
  // A hidden page's timers run once a minute or less: it pings, and does not count silence before the ping.
  for (let minute = 1; minute <= 3; minute += 1) {
    vi.setSystemTime(Date.now() + 60_000);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(beats()).toBe(minute);
    made[0]?.say({ type: "pong" });
  }
  expect(connection.state().type).toBe("open");
  for (let second = 0; second < 60 && made.length === 1; second += 1)
    await vi.advanceTimersByTimeAsync(1_000);
  expect(made.length).toBe(2);
  made[1]?.say({ type: "welcome", version: "1" });
  network.dispatchEvent(new Event("online"));
  for (let second = 0; second < 6 && made.length === 2; second += 1) await vi.advanceTimersByTimeAsync(1_000);
  expect(made.length).toBe(3);
});

test("every watcher gets the list of sessions with its own limit", async () => {
  const row = { id: "a", title: "A" };
  const limits: number[] = [];
  const { url } = await gateway((frame, { socket }) => {
    if (frame.type !== "watch") return;
    limits.push(frame.limit);
    socket.send(
      JSON.stringify({ type: "sessions", sessions: [row, row, row].slice(0, frame.limit), more: true }),
    );
  });
  const connection = live(url);
  const all = connection.watch(5);
  expect((await all.next()).value).toMatchObject({ sessions: [row, row, row], more: true });
  const few = connection.watch(1);
  expect((await few.next()).value).toMatchObject({ sessions: [row], more: true });
  await all.return();
  await expect.poll(() => limits.at(-1)).toBe(1);
  await few.return();
});

test("a frame that is not JSON ends the connection, and the next one is opened", async () => {
  let connections = 0;
  const { url } = await gateway(telling(2, [], 1), (peer) => {
    connections += 1;
    if (connections === 1) peer.socket.send("{ not JSON");
    else welcome(peer);
  });
  expect(await take(live(url).follow("s"), 2)).toEqual([1, 2]);
});
