/**
 * `node bench/followers.ts`: how long an unrelated request waits while many sockets open one long session at the same
 * moment, which is at rest. The gateway is the built command; the followers run in a process of their own.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { connect } from "../src/client.ts";
import type { Entry } from "../src/protocol/facts.ts";
import { openSqliteStore } from "../src/session/sqlite/sqlite.ts";
import { cpuOf, endAll, memoryOf, start } from "./children.ts";
import { printTable, quantile, shown } from "./figures.ts";
import type { FollowTask } from "./gateway-followers.ts";

const { values } = parseArgs({
  options: {
    command: { type: "string", default: "dist/bin.cjs" },
    sockets: { type: "string", default: "200" },
    facts: { type: "string", default: "3238" },
  },
});
const [sockets, facts] = [Number(values.sockets), Number(values.facts)];
const root = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
const env = { PATH: process.env["PATH"], HOME: root };

try {
  await measure();
} finally {
  await endAll();
  rmSync(root, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const workspace = join(root, "workspace");
  const stateDir = join(root, "state");
  for (const path of [workspace, stateDir]) mkdirSync(path, { mode: 0o700 });
  const session = "20260101-000000-000001";
  await fill(join(stateDir, "sessions.db"), { id: session, workspace });
  const serve = ["serve", "--offline-model", "--output", "json", "--port", "0"];
  const gateway = start(resolve(values.command), [...serve, "--state-dir", stateDir, "-C", workspace], {
    env,
  });
  const told: { url: string; tokenFile: string; pid: number } = JSON.parse(await gateway.line());
  const [url, token] = [told.url, readFileSync(told.tokenFile, "utf8").trim()];
  const task: FollowTask = { url, token, session, sockets, facts };
  const followers = start(join(import.meta.dirname, "gateway-followers.ts"), [JSON.stringify(task)], { env });
  await followers.line();
  const client = connect({ url, token });
  await client.sessions({});
  const [begun, before] = [performance.now(), cpuOf(told.pid)];
  followers.child.stdin?.write("go\n");
  const over = followers.line();
  const delays = await delaysUntil(over, () => client.sessions({}));
  const { wrong }: { wrong: number } = JSON.parse(await over);
  printTable([
    [`${sockets} sockets, ${facts} facts`, "p50 ms", "max ms", "all there s", "CPU s", "peak MB", "wrong"],
    [
      "GET /sessions meanwhile",
      ...[quantile(delays, 0.5), Math.max(...delays), (performance.now() - begun) / 1000].map(shown),
      shown(cpuOf(told.pid) - before),
      shown(memoryOf(told.pid).peak),
      String(wrong),
    ],
  ]);
}

/** One request after the other, every 20 ms, as long as the followers are not served. */
async function delaysUntil(over: Promise<unknown>, ask: () => Promise<unknown>): Promise<number[]> {
  const delays: number[] = [];
  const done = new AbortController();
  void over.finally(() => done.abort());
  while (!done.signal.aborted) {
    await new Promise((next) => setTimeout(next, 20));
    const begun = performance.now();
    await ask();
    delays.push(performance.now() - begun);
  }
  return delays;
}

async function fill(path: string, { id, workspace }: { id: string; workspace: string }): Promise<void> {
  const store = openSqliteStore(path);
  const at = Date.now();
  await store.create({ id, workspace, createdAt: at });
  const epoch = await store.claim(id);
  const stamp = (seq: number) => ({ v: 1, seq, at, turn: seq === 1 ? 0 : 1 });
  const start: Entry = { type: "session-start", session: id, workspace, version: "0.0.0", ...stamp(1) };
  const text = "The quick brown fox jumps over the lazy dog. ".repeat(8);
  const entries = Array.from({ length: facts - 1 }, (_, at): Entry => ({
    type: "warning",
    code: "note",
    text: `${at} ${text}`,
    ...stamp(at + 2),
  }));
  await store.append(id, epoch, [start, ...entries]);
  await store.release(id, epoch);
  await store.close();
}
