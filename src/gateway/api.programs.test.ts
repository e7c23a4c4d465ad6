/** The API's routes over a real port: accepted input, replies, and errors. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { otherProgramBounds } from "../base/bounds.ts";
import { type ModelScript, scriptedModel } from "../providers/scripted-model.ts";
import { testGateway, type TestGateway, type TestGatewayOptions, testToken } from "../testing/gateway.ts";
import { followUntil } from "../testing/host.ts";
import { metricsIn } from "../testing/metrics.ts";
import { testPicture } from "../testing/pictures.ts";

async function stage(script: ModelScript = [], options: TestGatewayOptions = {}): Promise<TestGateway> {
  const gateway = await testGateway(scriptedModel(script), options);
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  return gateway;
}

const words = (text: string) => ({ type: "send", content: [{ type: "text", text }] });
const missing = "20000101-000000-ffffff";

async function isIdle(gateway: TestGateway, id: string): Promise<void> {
  const standing = async () => (await gateway.ask("GET", `/sessions/${id}`)).body;
  await expect.poll(standing).toMatchObject({ standing: "idle", turns: 1 });
}

test("a session is created, given a message, renamed, forked and deleted", async () => {
  const gateway = await stage([[{ say: "Hello there." }]]);
  const id = await gateway.newSession();
  expect(await gateway.ask("POST", `/sessions/${id}/commands`, words("hi"))).toEqual({
    status: 200,
    body: { ok: true },
  });
  await isIdle(gateway, id);
  await gateway.ask("POST", `/sessions/${id}/commands`, { type: "rename", title: "Greeting" });
  expect((await gateway.ask("GET", "/sessions")).body).toMatchObject({
    sessions: [{ id, title: "Greeting" }],
    more: false,
  });
  const forked = await gateway.ask("POST", `/sessions/${id}/fork`, {});
  expect(forked).toMatchObject({ status: 201, body: { session: { from: { session: id } } } });
  expect(await gateway.ask("DELETE", `/sessions/${id}`)).toEqual({ status: 204, body: undefined });
  expect((await gateway.ask("GET", `/sessions/${id}`)).status).toBe(404);
});

test("B13: a session created without a mode is staged: an edit yields a token and is not written", async () => {
  const edit = { call: "write_file", with: { path: "a.txt", content: "new" } };
  const gateway = await stage([[edit], [{ say: "Done." }]], { files: { "a.txt": "old" } });
  expect((await gateway.ask("GET", "/health")).body).toMatchObject({ mode: "staged" });
  const id = await gateway.newSession();
  await gateway.ask("POST", `/sessions/${id}/commands`, words("write it"));
  await isIdle(gateway, id);
  const { body } = await gateway.ask("GET", `/sessions/${id}/facts`);
  expect(JSON.stringify(body)).toMatch(/"mode":"staged"/u);
  expect(JSON.stringify(body)).toMatch(/"token":"/u);
  expect(await readFile(`${gateway.test.workspace}/a.txt`, "utf8")).toBe("old");
});

test("a session is made with its reasoning, which any client changes and every other one sees", async () => {
  const efforts: (string | undefined)[] = [];
  const gateway = await stage(({ reasoning }) => {
    efforts.push(reasoning);
    return [{ say: "Yes." }];
  });
  const made = await gateway.ask("POST", "/sessions", { reasoning: "low", content: words("hi").content });
  const { id } = made.body as { id: string };
  await isIdle(gateway, id);
  const seen = followUntil(
    gateway.test.host,
    id,
    ({ type, ...fact }) => type === "reasoning-set" && "seq" in fact && fact.seq > 3,
  );
  const set = (reasoning: string) =>
    gateway.ask("POST", `/sessions/${id}/commands`, { type: "set-reasoning", reasoning, by: "phone" });
  expect(await set("high")).toEqual({ status: 200, body: { ok: true } });
  expect((await seen).at(-1)).toMatchObject({ reasoning: "high", by: "phone" });
  for (const wrong of ["huge", "", "High", "x".repeat(100_000)]) {
    const { status, body } = await set(wrong);
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringMatching(/default.+off.+low.+medium.+high/u),
    ]);
  }
  await gateway.ask("POST", `/sessions/${id}/commands`, words("again"));
  await expect.poll(() => efforts).toEqual(["low", "high"]);
});

test("pages of facts follow each other without gaps", async () => {
  const gateway = await stage([[{ say: "Hello there." }]]);
  const id = await gateway.newSession();
  await gateway.ask("POST", `/sessions/${id}/commands`, words("hi"));
  await isIdle(gateway, id);
  const all = await gateway.ask("GET", `/sessions/${id}/facts`);
  const seqs: number[] = [];
  for (let more = true; more;) {
    const { body } = await gateway.ask("GET", `/sessions/${id}/facts?limit=2&after=${seqs.at(-1) ?? 0}`);
    const page = body as { facts: { seq: number }[]; more: boolean };
    seqs.push(...page.facts.map(({ seq }) => seq));
    more = page.more;
  }
  expect(seqs).toEqual((all.body as { facts: { seq: number }[] }).facts.map(({ seq }) => seq));
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
});

test("a page of long facts is shorter than requested, and the next page continues after it", async () => {
  const gateway = await stage(() => [{ say: "Long." }]);
  const id = await gateway.newSession();
  for (const letter of "abcd") {
    await gateway.ask("POST", `/sessions/${id}/commands`, words(letter.repeat(3_500_000)));
    await expect.poll(async () => (await gateway.test.host.row(id))?.standing).toBe("idle");
  }
  const seqs: number[] = [];
  let pages = 0;
  for (let more = true; more; pages += 1) {
    const { body } = await gateway.ask("GET", `/sessions/${id}/facts?limit=1000&after=${seqs.at(-1) ?? 0}`);
    const page = body as { facts: { seq: number }[]; more: boolean };
    seqs.push(...page.facts.map(({ seq }) => seq));
    more = page.more;
  }
  expect(pages).toBeGreaterThan(1);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
});

test("a fact of a later version is sent as it was stored", async () => {
  const gateway = await stage([], { restMs: 0 });
  const id = await gateway.newSession();
  await expect.poll(() => gateway.test.host.figures().open).toBe(0);
  const { store } = gateway.test;
  const epoch = await store.claim(id);
  const stamp = { v: 9, seq: ((await store.get(id))?.facts ?? 0) + 1, at: 1, turn: 0 };
  const original = { type: "from-the-future", more: [1, { two: null }], ...stamp };
  await store.append(id, epoch, [{ type: "unknown", original, ...stamp }]);
  await store.release(id, epoch);
  const { body } = await gateway.ask("GET", `/sessions/${id}/facts`);
  expect((body as { facts: unknown[] }).facts.at(-1)).toEqual(original);
  const headers = { authorization: `Bearer ${testToken}` };
  const events = await gateway.raw(`/sessions/${id}/events?after=${stamp.seq - 1}`, { headers });
  for await (const piece of events.body ?? []) {
    const data = /^data: (.*)$/mu.exec(new TextDecoder().decode(piece))?.[1];
    if (data === undefined) continue;
    expect(JSON.parse(data)).toEqual(original);
    break;
  }
});

test("an exported session can be imported, and a damaged export is refused", async () => {
  const gateway = await stage([[{ say: "Hello there." }]]);
  const id = await gateway.newSession();
  await gateway.ask("POST", `/sessions/${id}/commands`, words("hi"));
  await isIdle(gateway, id);
  const headers = { authorization: `Bearer ${testToken}`, "content-type": "application/x-ndjson" };
  const bundle = await (await gateway.raw(`/sessions/${id}/export`, { headers })).text();
  const imported = await gateway.raw("/sessions/import", { method: "POST", headers, body: bundle });
  expect(imported.status).toBe(201);
  expect(await imported.json()).toMatchObject({ was: id, closed: false, session: { turns: 1, answers: 1 } });
  for (const broken of ["", "{", bundle.slice(0, -30), bundle.replaceAll('"seq":3', '"seq":4')]) {
    const refused = await gateway.raw("/sessions/import", { method: "POST", headers, body: broken });
    expect(refused.status, broken.slice(0, 40)).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { code: "bad-request" } });
  }
});

test("every route of a missing session replies 404", async () => {
  const gateway = await stage();
  const commands = { "/commands": words("hi"), "/fork": {} };
  for (const path of ["", "/events", "/facts", "/results/x", "/changes", "/context", "/export"])
    expect(await gateway.ask("GET", `/sessions/${missing}${path}`), path).toMatchObject({
      status: 404,
      body: { error: { code: "no-such-session" } },
    });
  for (const [path, body] of Object.entries(commands))
    expect((await gateway.ask("POST", `/sessions/${missing}${path}`, body)).status, path).toBe(404);
  expect((await gateway.ask("DELETE", `/sessions/${missing}`)).status).toBe(404);
  const id = await gateway.newSession();
  expect((await gateway.ask("GET", `/sessions/${id}/results/none`)).status).toBe(404);
});

test("an invalid request is refused with the name of the field", async () => {
  const gateway = await stage();
  const id = await gateway.newSession();
  const at = `/sessions/${id}/commands`;
  const mistakes: [string, string, unknown, RegExp][] = [
    ["POST", "/sessions", { mode: "yolo" }, /"mode" must be one of "ask"/u],
    ["POST", "/sessions", { workspace: 5 }, /"workspace" must be a string/u],
    ["POST", "/sessions", [], /The body must be an object/u],
    ["POST", "/sessions", { workspace: "/nowhere/at/all" }, /no directory "\/nowhere\/at\/all"/u],
    ["POST", at, {}, /"type"/u],
    ["POST", at, { type: "explode" }, /"type"/u],
    ["POST", at, { type: "send" }, /"content" is missing/u],
    ["POST", at, { type: "send", content: [{ type: "text" }] }, /"content\[0\]\.text" is missing/u],
    ["POST", at, { type: "undo", turn: "x" }, /"turn" must be a number/u],
    ["POST", `/sessions/${id}/fork`, { beforeTurn: null }, /"beforeTurn"/u],
    ["GET", `/sessions/${id}/facts?after=-1`, undefined, /"after" must be a whole number/u],
    ["GET", `/sessions/${id}/facts?limit=0`, undefined, /"limit" must be a whole number from 1 to 1000/u],
    ["GET", `/sessions/${id}/changes?turn=1e3`, undefined, /"turn" must be a whole number from 1 on/u],
    ["GET", "/sessions?limit=1001", undefined, /"limit" must be a whole number from 1 to 1000/u],
  ];
  for (const [method, path, body, message] of mistakes) {
    const reply = await gateway.ask(method, path, body);
    expect(reply, path).toMatchObject({ status: 400, body: { error: { code: "bad-request" } } });
    expect((reply.body as { error: { message: string } }).error.message).toMatch(message);
  }
});

test("a body that is not JSON, nested too deep, too large or not UTF-8 is refused", async () => {
  const gateway = await stage();
  const headers = { authorization: `Bearer ${testToken}`, "content-type": "application/json" };
  const post = async (path: string, body: string | Uint8Array<ArrayBuffer>) =>
    (await gateway.raw(path, { method: "POST", headers, body })).status;
  expect(await post("/sessions", "{")).toBe(400);
  expect(await post("/sessions", `{"title":${"[".repeat(64)}${"]".repeat(64)}}`)).toBe(400);
  expect(await post("/sessions", "[".repeat(100_000))).toBe(400);
  expect(await post("/sessions", new Uint8Array([0x7b, 0xff, 0x7d]))).toBe(400);
  expect(await post("/sessions", JSON.stringify({ title: "x".repeat(4 * 1024 ** 2) }))).toBe(413);
  expect(await post("/token", JSON.stringify({ code: "x".repeat(5_000) }))).toBe(413);
});

test("a message with images may be larger than others", async () => {
  const gateway = await stage([[{ say: "Seen." }]]);
  const id = await gateway.newSession();
  const path = `/sessions/${id}/commands`;
  const image = testPicture({ padding: 4 * 1024 ** 2 });
  const long = { type: "text", text: "x".repeat(5 * 1024 ** 2) };
  expect((await gateway.ask("POST", path, { type: "send", content: [long] })).status).toBe(413);
  expect((await gateway.ask("POST", path, { type: "send", content: [image] })).status).toBe(200);
  const huge = { ...image, data: "A".repeat(otherProgramBounds.message.most) };
  expect((await gateway.ask("POST", path, { type: "send", content: [huge] })).status).toBe(413);
});

test("a code can be exchanged once for a token that authorizes requests", async () => {
  const gateway = await stage();
  const code = new URL(gateway.link()).hash.replace("#code=", "");
  const exchange = () =>
    gateway.raw("/token", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
  const { token } = (await (await exchange()).json()) as { token: string };
  expect((await exchange()).status).toBe(401);
  expect((await gateway.raw("/health", { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  const more = await gateway.raw("/codes", { method: "POST", headers: { authorization: `Bearer ${token}` } });
  expect(more.status).toBe(201);
});

test("a refused command replies 409", async () => {
  const gateway = await stage();
  const id = await gateway.newSession();
  const reply = await gateway.ask("POST", `/sessions/${id}/commands`, { type: "undo" });
  expect(reply).toMatchObject({ status: 409, body: { ok: false } });
});

test("a stopping gateway refuses new work with 503 and still answers reads", async () => {
  const gateway = await stage();
  const id = await gateway.newSession();
  await gateway.drain(0);
  expect(await gateway.ask("GET", "/health")).toMatchObject({ status: 503, body: { status: "stopping" } });
  expect((await gateway.ask("POST", "/sessions", {})).status).toBe(503);
  expect((await gateway.ask("POST", `/sessions/${id}/commands`, words("hi"))).status).toBe(503);
  expect((await gateway.ask("GET", `/sessions/${id}`)).status).toBe(200);
  const probed = ["/health/alive", "/health/ready"].map(async (path) => (await gateway.raw(path)).status);
  expect(await Promise.all(probed)).toEqual([200, 503]);
});

test("whether the gateway can work is told without a token, and why not only with one", async () => {
  const gateway = await stage();
  const reply = await gateway.raw("/health/ready");
  expect([reply.status, await reply.json()]).toEqual([200, { status: "ok" }]);
  const newer = await stage([], { keptIn: "file" });
  const database = new DatabaseSync(join(newer.test.root, "state", "sessions.db"));
  database.exec("PRAGMA user_version = 999");
  database.close();
  const unready = await newer.raw("/health/ready");
  expect([unready.status, await unready.json()]).toEqual([503, { status: "unready" }]);
  expect(await newer.ask("GET", "/health")).toMatchObject({
    status: 503,
    body: { status: "unready", problem: expect.stringContaining("written by a newer version (format 999") },
  });
});

test("/metrics is in the Prometheus format and counts requests and commands", async () => {
  const gateway = await stage([[{ say: "Hello there." }]]);
  const id = await gateway.newSession();
  await gateway.ask("POST", `/sessions/${id}/commands`, words("hi"));
  await gateway.raw("/health");
  const headers = { authorization: `Bearer ${testToken}` };
  const reply = await gateway.raw("/metrics", { headers });
  expect(reply.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await reply.text();
  expect(text).toContain('toolwright_refused_total{reason="unauthorized"} 1\n');
  expect(text).toContain('toolwright_commands_total{type="send",outcome="taken"} 1\n');
  expect(text).toContain("toolwright_sessions_open 1\n");
  expect(metricsIn(text)).toMatchObject({
    toolwright_ready: 1,
    toolwright_sessions_open: 1,
    'toolwright_refused_total{reason="unauthorized"}': 1,
  });
});

test("gateway.fetch applies the same access checks without a port", async () => {
  const gateway = await stage();
  const ask = async (path: string, headers: Record<string, string>) =>
    (await gateway.fetch(new Request(gateway.url + path, { headers }))).status;
  expect(await ask("/health", {})).toBe(401);
  expect(await ask("/health", { authorization: `Bearer ${testToken}` })).toBe(200);
  expect(await ask("/", {})).toBe(200);
  expect(await ask("/health", { authorization: `Bearer ${testToken}`, origin: "https://evil.example" })).toBe(
    403,
  );
  const elsewhere = new Request("http://evil.example/health", {
    headers: { authorization: `Bearer ${testToken}` },
  });
  expect((await gateway.fetch(elsewhere)).status).toBe(403);
});

test("a session that waits for a person is listed however many newer ones there are, and comes first", async () => {
  const edit = { call: "write_file", with: { path: "a.txt", content: "new" } };
  const gateway = await stage([[edit]], { mode: "ask" });
  const waiting = await gateway.newSession();
  const following = followUntil(gateway.test.host, waiting, ({ type }) => type === "approval-asked", {
    person: true,
  });
  await gateway.ask("POST", `/sessions/${waiting}/commands`, words("write it"));
  await following;
  const newer: string[] = [];
  for (let made = 0; made < 3; made += 1) newer.unshift(await gateway.newSession());
  const listed = [
    { id: waiting, standing: "waiting" },
    { id: newer[0], standing: "idle" },
  ];
  expect((await gateway.ask("GET", "/sessions?limit=1")).body).toMatchObject({
    sessions: listed,
    more: true,
  });
  const rest = await gateway.ask("GET", `/sessions?limit=9&after=${newer[0]}`);
  expect(rest.body).toMatchObject({ sessions: [{ id: newer[1] }, { id: newer[2] }, { id: waiting }] });

  const socket = gateway.socket();
  const told = new Promise((resolve) => {
    socket.on("message", (data: Buffer) => {
      const frame: { type: string } = JSON.parse(data.toString());
      if (frame.type === "sessions") resolve(frame);
    });
  });
  socket.on("open", () => socket.send(JSON.stringify({ type: "watch", limit: 1 })));
  expect(await told).toMatchObject({ sessions: listed, more: true });
  socket.close();
});
