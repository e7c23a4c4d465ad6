/** The cost of a session's log: single and batched appends, following a stream, reopening 10,000 facts. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fact } from "../src/protocol/facts.ts";
import { SessionLog } from "../src/session/log.ts";
import { openSqliteStore } from "../src/session/sqlite/sqlite.ts";

const count = 10_000;
const input = { path: "src/example.ts", content: "x".repeat(300) };
const fact = (index: number): Fact => ({
  type: "call",
  call: { id: `call_${index}`, name: "write_file", input, source: "native" },
});

const directory = mkdtempSync(join(tmpdir(), "bench-session-"));
try {
  await run();
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const path = join(directory, "sessions.db");
  const store = openSqliteStore(path);
  await fill(await newLog("warm"));
  print("append, each awaited", await perItem(fill, await newLog("alone")), "µs/fact");
  print("append, 50 together", await perItem(fillTogether, await newLog("together")), "µs/fact");
  print("signal, one delta each", await perItem(stream, await newLog("stream")), "µs/delta");
  await store.close();

  const again = openSqliteStore(path);
  for (const round of [1, 2, 3]) {
    const started = performance.now();
    const log = await SessionLog.open({ store: again, session: "alone", epoch: 1 });
    print(`reopen ${log.state.seq} facts, round ${round}`, performance.now() - started, "ms");
  }
  await again.close();

  async function newLog(session: string): Promise<SessionLog> {
    await store.create({ id: session, workspace: directory, createdAt: Date.now() });
    return SessionLog.open({ store, session, epoch: await store.claim(session) });
  }
}

async function perItem(work: (log: SessionLog) => Promise<void>, log: SessionLog): Promise<number> {
  const started = performance.now();
  await work(log);
  return ((performance.now() - started) * 1000) / count;
}

async function fill(log: SessionLog): Promise<void> {
  for (let index = 0; index < count; index += 1) await log.append(fact(index));
}

async function fillTogether(log: SessionLog): Promise<void> {
  for (let index = 0; index < count; index += 50)
    await Promise.all(Array.from({ length: 50 }, (_, place) => log.append(fact(index + place))));
}

async function stream(log: SessionLog): Promise<void> {
  for (let index = 0; index < count; index += 1)
    log.signal({ type: "text-delta", block: 1, offset: index * 6, text: "words " });
  await log.append({ type: "text", block: 1, text: "words ".repeat(count), by: "model" });
}

function print(what: string, figure: number, unit: string): void {
  console.log(`${what.padEnd(32)} ${figure.toFixed(2).padStart(9)} ${unit}`);
}
