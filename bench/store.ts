/** The cost of the store with a thousand sessions: owners, noted programs, search, copies, deletion. */

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identityOf, ownIdentity } from "../src/base/process-identity.ts";
import { factVersion, type Entry, type Fact } from "../src/protocol/facts.ts";
import { SessionLog } from "../src/session/log.ts";
import { ownOwner } from "../src/session/owner.ts";
import { openSqliteStore } from "../src/session/sqlite/sqlite.ts";
import type { Store } from "../src/session/store.ts";
import { median } from "./figures.ts";

const sessions = 1000;
const turns = 10;
const vocabulary = Array.from({ length: 20_000 }, (_, index) => (index * 7919).toString(36));
const words = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, at) => vocabulary[(seed * 31 + at * at * 17) % vocabulary.length]).join(
    " ",
  );

const directory = mkdtempSync(join(tmpdir(), "bench-store-"));
try {
  const path = join(directory, "sessions.db");
  const store = openSqliteStore(path);
  await run(store);
  await store.close();
  print("the file, after all", statSync(path).size / 1024 ** 2, "MiB");
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function run(store: Store): Promise<void> {
  for (let index = 0; index < sessions; index += 1) await fill(store, `s${index}`, { turns, seed: index });
  await fill(store, "long", { turns: 2000, seed: 7 });
  await perItem("claim and release", 1000, async () => {
    const epoch = await store.claim("s1", { owner: ownOwner() });
    await store.release("s1", epoch);
  });
  await perItem("a program noted and forgotten", 1000, async (index) => {
    const who = { process: identityOf(process.pid), by: ownIdentity() };
    const started = { ...who, marker: `RUN=${index}`, reach: "group" as const, what: "npm test" };
    await store.noteProcess("s1", started);
    await store.forgetProcess("s1", started);
  });
  await once("open 10,000 facts again", async () => {
    const log = await SessionLog.open({ store, session: "long", epoch: await store.claim("long") });
    if (log.state.seq !== 10_001) throw new Error(`it has ${log.state.seq} facts`);
  });
  await once("first search, which indexes all", () => store.search("needle", 10));
  await once("search for a rare word", () => store.search(vocabulary[17] ?? "", 10));
  await once("search for common words", () => store.search("please answer", 10));
  await once("copy of 10,000 facts", () =>
    store.copy("long", { id: "copy", workspace: "/w", createdAt: 1 }, 10_000),
  );
  await once("first deletion", () => store.delete("s0"));
  await perItem("a deletion", 200, (index) => store.delete(`s${index + 1}`));
  await once("deletion of 10,000 facts", () => store.delete("copy"));
}

/** A turn: a request, a call with 4 KiB of result, and an answer. */
async function fill(store: Store, id: string, how: { turns: number; seed: number }): Promise<void> {
  await store.create({ id, workspace: "/w", createdAt: 1000 });
  const facts: Fact[] = [{ type: "session-start", session: id, workspace: "/w", version: "1" }];
  for (let turn = 1; turn <= how.turns; turn += 1) {
    const callId = `c${turn}`;
    const call = { id: callId, name: "read_file", input: { path: "a" }, source: "native" as const };
    facts.push(
      { type: "user-message", content: [{ type: "text", text: `please ${words(how.seed + turn, 40)}` }] },
      { type: "call", call },
      { type: "result", callId, outcome: "ok", content: [{ type: "text", text: "x".repeat(4096) }] },
      { type: "text", block: turn, by: "model", text: `answer ${words(how.seed * 3 + turn, 150)}` },
      { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" },
    );
  }
  const entries = facts.map((fact, at): Entry => ({
    ...fact,
    v: factVersion,
    seq: at + 1,
    at: 1000 + at,
    turn: 1,
  }));
  await store.append(id, await store.claim(id), entries);
}

async function once(what: string, work: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await work();
  print(what, performance.now() - started, "ms");
}

async function perItem(what: string, count: number, work: (index: number) => Promise<void>): Promise<void> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const started = performance.now();
    await work(index);
    times.push(performance.now() - started);
  }
  print(`${what}, median`, median(times) * 1000, "µs");
}

function print(what: string, figure: number, unit: string): void {
  console.log(`${what.padEnd(34)} ${figure.toFixed(1).padStart(9)} ${unit}`);
}
