import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterEach, expect, test, vi } from "vitest";
import { collect } from "../base/async.ts";
import { isObject } from "../base/json.ts";
import { AskedCommands, type CommandFrame, withId } from "./asked-commands.ts";
import { remoteBounds } from "./bounds.ts";
import { connect } from "./client.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0)) await close();
});

async function serving(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address: unknown = server.address();
  const url = `http://127.0.0.1:${isObject(address) ? String(address["port"]) : ""}`;
  return { url, client: connect({ url: `${url}/`, token: "secret", random: () => 0 }) };
}

const replying = (status: number, body: string) =>
  serving((_request, response) => void response.writeHead(status).end(body));

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test("an unreachable gateway is reported with its address", async () => {
  const { url, client } = await replying(200, "");
  for (const close of closing.splice(0)) await close();
  const error = await client.health().catch((problem: unknown) => problem);
  expect(error).toMatchObject({ name: "GatewayError", status: 0, code: "unreachable" });
  expect(String(error)).toContain(url);
  expect(String(error)).toContain("Is it running?");
});

test("a reply that is not from a gateway is rejected as unreadable", async () => {
  for (const [status, body] of [
    [200, "<html>Welcome to the hotel's network.</html>"],
    [200, ""],
    [200, '{"status":"ok"}'],
    [502, "<html>Bad gateway</html>"],
    [404, '{"error":"none"}'],
  ] as const) {
    const { client } = await replying(status, body);
    await expect(client.health(), body).rejects.toMatchObject({ code: "unreadable", status });
  }
});

test("a truncated reply is rejected", async () => {
  const { client } = await serving((_request, response) => {
    response.writeHead(200, { "content-length": "1000" }).write('{"status":');
    response.socket?.end();
  });
  await expect(client.health()).rejects.toMatchObject({ code: "unreachable" });
});

test("the token is not sent to a redirect target", async () => {
  const heard: unknown[] = [];
  const other = await serving((request, response) => {
    heard.push(request.headers.authorization);
    response.end("{}");
  });
  const { client } = await serving(
    (_request, response) => void response.writeHead(307, { location: `${other.url}/health` }).end(),
  );
  await expect(client.health()).rejects.toMatchObject({ name: "GatewayError" });
  expect(heard).toEqual([]);
});

test("an aborted request rejects with the abort reason", async () => {
  const { client } = await serving(() => undefined);
  const leaving = new AbortController();
  const asked = client.sessions({}, { signal: leaving.signal });
  leaving.abort(new Error("The page was left."));
  await expect(asked).rejects.toThrow("The page was left.");
});

test("an import is sent identically from text, bytes, a blob or a stream", async () => {
  const bodies: string[] = [];
  const session = { id: "s", title: "", workspace: "/", createdAt: 0, updatedAt: 0, facts: 0 };
  const usage = { inputTokens: 0, outputTokens: 0 };
  const more = { standing: "idle", turns: 0, answers: 0, usage, cost: { dollars: 0, unknown: 0 } };
  const imported = JSON.stringify({ session: { ...session, ...more, later: true }, was: "w", closed: false });
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    bodies.push(`${request.headers["content-type"] ?? ""} ${await bodyOf(request)}`);
    response.writeHead(201, { "content-type": "application/json" }).end(imported);
  };
  const { client } = await serving((request, response) => void take(request, response));
  const bytes = new TextEncoder().encode("ünd so");
  async function* pieces() {
    yield bytes.subarray(0, 1);
    yield bytes.subarray(1);
  }
  for (const body of ["ünd so", bytes, new Blob([bytes]), pieces()]) {
    expect(await client.import(body)).toMatchObject({ was: "w", session: { id: "s", later: true } }); // a newer gateway's field
  }
  expect(bodies).toEqual(Array.from({ length: 4 }, () => "application/x-ndjson ünd so"));
});

test("an export is read in chunks, and a refused one throws", async () => {
  const { client } = await serving((request, response) => {
    if (request.url === "/sessions/a%2F..%2Fb/export") response.end("one\ntwo\n");
    else response.writeHead(404).end('{"error":{"code":"no-such-session","message":"None."}}');
  });
  const pieces = await collect(client.export("a/../b"));
  expect(Buffer.concat(pieces).toString()).toBe("one\ntwo\n");
  await expect(collect(client.export("b"))).rejects.toMatchObject({ status: 404, code: "no-such-session" });
});

test("events resume after the last fact when their stream ends, breaks or omits one", async () => {
  const asked: (string | null)[] = [];
  const fact = (seq: number) => `event: fact\nid: ${seq}\ndata: {"type":"warning","seq":${seq}}\n\n`;
  const replies = [
    fact(1) + fact(2),
    `${fact(2)}event: fact\ndata: {"ty`,
    fact(3) + fact(5),
    fact(4) + fact(5),
  ];
  const { client } = await serving((request, response) => {
    asked.push(new URL(request.url ?? "", "http://x").searchParams.get("after"));
    const reply = replies[asked.length - 1];
    if (reply === undefined)
      response.writeHead(503).end('{"error":{"code":"stopping","message":"It stops."}}');
    else response.writeHead(200, { "content-type": "text/event-stream" }).end(reply);
  });
  const told: number[] = [];
  for await (const event of client.events("s", { after: 0 })) {
    if ("seq" in event) told.push(event.seq);
    if (told.length === 5) break;
  }
  expect(told).toEqual([1, 2, 3, 4, 5]);
  expect(asked).toEqual(["0", "2", "2", "3"]);
});

test("events of a missing session throw immediately, and an aborted reader ends without an error", async () => {
  const { client } = await replying(404, '{"error":{"code":"no-such-session","message":"None."}}');
  await expect(collect(client.events("s"))).rejects.toMatchObject({ code: "no-such-session" });
  const { client: silent } = await serving((_request, response) => response.flushHeaders());
  const leaving = new AbortController();
  const reading = collect(silent.events("s", {}, { signal: leaving.signal }));
  setImmediate(() => leaving.abort());
  expect(await reading).toEqual([]);
});

test("a command without a connection in time is not sent; one in flight has an unknown outcome", async () => {
  vi.useFakeTimers();
  const sent: CommandFrame[] = [];
  let isOpen = false;
  const commands = new AskedCommands((frame) => isOpen && sent.push(frame) > 0);
  const first = commands.ask("s", { type: "go-on" }).catch((error: unknown) => error);
  vi.advanceTimersByTime(remoteBounds.unsentTime.most);
  expect(await first).toMatchObject({ code: "not-sent" });
  isOpen = true;
  const second = commands.ask("s", withId({ type: "send", content: [] })).catch((error: unknown) => error);
  isOpen = false;
  commands.lost();
  vi.advanceTimersByTime(remoteBounds.unsentTime.most);
  expect(await second).toMatchObject({ code: "outcome-unknown" });
  expect(sent).toHaveLength(1);
});

test("commands beyond the bound are refused, not queued", async () => {
  const commands = new AskedCommands(() => true);
  const asked = Array.from({ length: remoteBounds.commands.most + 1 }, () =>
    commands.ask("s", { type: "go-on" }).catch((error: unknown) => error),
  );
  expect(await asked.at(-1)).toMatchObject({ code: "not-sent" });
  commands.end("It is over.");
  expect(await asked[0]).toMatchObject({ code: "outcome-unknown" });
});

test("an invalid address, or a live connection without a token, throws a TypeError", () => {
  expect(() => connect({ url: "nowhere" })).toThrow(TypeError);
  expect(() => connect({ url: "http://127.0.0.1:1" }).live()).toThrow(TypeError);
});
