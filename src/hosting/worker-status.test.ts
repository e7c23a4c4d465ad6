/** A worker's health and figures over HTTP, with a real worker of this process. */

import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { openSqliteStore } from "../session/sqlite/sqlite.ts";
import { newDirectory } from "../session/sqlite/testing/sqlite.ts";
import { metricsIn } from "../testing/metrics.ts";
import { EmbeddedEngine } from "./embedded-engine.ts";
import { startSessionWorker } from "./session-worker.ts";
import { openWorkerStatus } from "./worker-status.ts";

const token = "7".repeat(64);

async function statusOf() {
  const path = `${newDirectory()}/s.db`;
  const store = openSqliteStore(path);
  const setup = { store, workspace: "/", mode: "staged" as const, settingsFor: never, context };
  const started = await startSessionWorker(setup, new EmbeddedEngine());
  if (!started.ok) throw new Error(started.problem);
  const worker = started.value;
  const stop = new AbortController();
  const listen = { host: "127.0.0.1", port: 0 };
  const status = await openWorkerStatus({ worker, token, listen, isStopping: () => stop.signal.aborted });
  if (!status.ok) throw new Error(status.problem);
  onTestFinished(async () => {
    await status.value.close();
    await worker.close();
    await store.close();
  });
  const { url } = status.value;
  const ask = (where: string, init?: RequestInit) => fetch(url + where, init);
  const asOwner = { headers: { authorization: `Bearer ${token}` } };
  return { path, stop, ask, asOwner, port: Number(new URL(url).port) };
}

const never = () => Promise.reject(new Error("Nothing is opened here."));
const context = { env: {}, model: scriptedModel([]) };

test("whether it lives and can work needs no token, and everything else does", async () => {
  const { ask, asOwner } = await statusOf();
  const statuses = async (init?: RequestInit): Promise<number[]> => {
    const paths = ["/health/alive", "/health/ready", "/health", "/metrics", "/", "/health/ready?x"];
    return Promise.all(paths.map(async (path) => (await ask(path, init)).status));
  };
  expect(await statuses()).toEqual([200, 200, 401, 401, 404, 200]);
  expect(await statuses({ headers: { authorization: "Bearer wrong" } })).toEqual([
    200, 200, 401, 401, 404, 200,
  ]);
  expect(await statuses(asOwner)).toEqual([200, 200, 200, 200, 404, 200]);
  expect((await ask("/metrics", { method: "POST", body: "x" })).status).toBe(405);
  expect(await (await ask("/health", asOwner)).json()).toEqual({
    status: "ok",
    sessions: { open: 0, working: 0 },
  });
});

test("a worker that stops is alive and not ready", async () => {
  const { ask, asOwner, stop } = await statusOf();
  stop.abort();
  expect((await ask("/health/alive")).status).toBe(200);
  expect(await (await ask("/health/ready")).json()).toEqual({ status: "stopping" });
  expect((await ask("/health", asOwner)).status).toBe(503);
  expect(metricsIn(await (await ask("/metrics", asOwner)).text())).toMatchObject({ toolwright_ready: 0 });
});

test("tables that a newer version has changed make it unready, and it says so to its owner alone", async () => {
  const { ask, asOwner, path } = await statusOf();
  const newer = new DatabaseSync(path);
  newer.exec("PRAGMA user_version = 999");
  newer.close();
  expect(await (await ask("/health/ready")).json()).toEqual({ status: "unready" });
  expect(await (await ask("/health", asOwner)).json()).toMatchObject({
    status: "unready",
    problem: expect.stringContaining("was written by a newer version (format 999"),
  });
});

test("its figures are read by a parser of Prometheus's format", async () => {
  const { ask, asOwner } = await statusOf();
  const reply = await ask("/metrics", asOwner);
  expect(reply.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(metricsIn(await reply.text())).toEqual({
    toolwright_sessions_open: 0,
    toolwright_sessions_working: 0,
    toolwright_facts_total: 0,
    toolwright_signals_total: 0,
    toolwright_ready: 1,
    toolwright_uptime_seconds: expect.any(Number),
    toolwright_memory_bytes: expect.any(Number),
    toolwright_cpu_seconds_total: expect.any(Number),
  });
});

test("a port that is taken is a plain refusal", async () => {
  const { port } = await statusOf();
  const store = openSqliteStore(`${newDirectory()}/s.db`);
  const setup = { store, workspace: "/", mode: "staged" as const, settingsFor: never, context };
  const started = await startSessionWorker(setup, new EmbeddedEngine());
  if (!started.ok) throw new Error(started.problem);
  onTestFinished(async () => {
    await started.value.close();
    await store.close();
  });
  const listen = { host: "127.0.0.1", port };
  const opened = await openWorkerStatus({ worker: started.value, token, listen, isStopping: () => false });
  expect(opened).toEqual({ ok: false, problem: expect.stringContaining(`Port ${port} is in use`) });
});
