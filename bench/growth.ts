/** Checks that cost grows linearly: each job runs with n and 4 n items. A ratio near 4 is as it should be. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fact } from "../src/protocol/facts.ts";
import type { ModelEvent } from "../src/protocol/model-events.ts";
import { SessionLog } from "../src/session/log.ts";
import { openSqliteStore } from "../src/session/sqlite/sqlite.ts";
import { wires } from "../src/wires/index.ts";
import type { Wire } from "../src/wires/wire.ts";
import { least, printTable, shown } from "./figures.ts";

/** Prepares `count` items outside the measured time, and returns the work. */
type Job = { what: string; count: number; prepare: (count: number) => Promise<() => Promise<void>> };

const directory = mkdtempSync(join(tmpdir(), "toolwright-growth-"));
const store = openSqliteStore(join(directory, "sessions.db"));
let sessions = 0;
const note: Fact = { type: "warning", code: "bench", text: "x".repeat(300) };
try {
  await run();
} finally {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const jobs: Job[] = [
    ...Object.values(wires).flatMap((wire) => [
      streamJob(`${wire.name}: text deltas`, wire, { events: textAnswer, cut: 64 * 1024 }),
      streamJob(`${wire.name}: argument pieces`, wire, { events: callAnswer, cut: 64 * 1024 }),
    ]),
    streamJob("openai-chat: text deltas, 7 bytes at a time", wires["openai-chat"], {
      events: textAnswer,
      cut: 7,
    }),
    {
      what: "log: append, each awaited",
      count: 2_000,
      prepare: async (count) => filling(await newLog(), count),
    },
    { what: "log: follow facts", count: 2_000, prepare: following },
    {
      what: "log: one block of deltas",
      count: 5_000,
      prepare: async (count) => streaming(await newLog(), count),
    },
    { what: "log: open again", count: 2_000, prepare: opening },
  ];
  const rows = [];
  for (const job of jobs) rows.push(await row(job));
  printTable([["CPU", "n", "ms for n", "ms for 4 n", "ratio", "µs each", ""], ...rows]);
}

async function row(job: Job): Promise<string[]> {
  await cpuMs(job, job.count); // excludes the compiler's work, which does not grow
  const small = await cpuMs(job, job.count);
  const large = await cpuMs(job, 4 * job.count);
  const ratio = large / small;
  return [
    job.what,
    String(job.count),
    shown(small),
    shown(large),
    shown(ratio),
    shown((large * 1000) / (4 * job.count)),
    ratio > 6 ? "GROWS FASTER THAN ITS CAUSE" : "",
  ];
}

async function cpuMs({ prepare }: Job, count: number): Promise<number> {
  const runs: number[] = [];
  for (let at = 0; at < 5; at += 1) {
    const work = await prepare(count);
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    runs.push((user + system) / 1000);
  }
  return least(runs);
}

function textAnswer(count: number): ModelEvent[] {
  const deltas = Array.from({ length: count }, (_, at): ModelEvent => ({
    type: "text-delta",
    text: `word${at} `,
  }));
  return [{ type: "answer-start", model: "m" }, ...deltas, { type: "answer-end", reason: "stop" }];
}

function callAnswer(count: number): ModelEvent[] {
  const content = "0123456789abcdef".repeat(count);
  const json = JSON.stringify({ path: "a.txt", content });
  const pieces = Array.from({ length: Math.ceil(json.length / 16) }, (_, at): ModelEvent => ({
    type: "call-delta",
    id: "c",
    json: json.slice(at * 16, at * 16 + 16),
  }));
  const call = { id: "c", name: "write_file", input: { path: "a.txt", content }, source: "native" };
  return [
    { type: "answer-start", model: "m" },
    { type: "call-start", id: "c", name: "write_file" },
    ...pieces,
    { type: "call-end", call },
    { type: "answer-end", reason: "tool-calls" },
  ];
}

type Stream = { events: (count: number) => ModelEvent[]; cut: number };

/** The wire's own server half writes what its provider half then reads. */
function streamJob(what: string, wire: Wire, { events, cut }: Stream): Job {
  const prepare = async (count: number) => {
    const frames: string[] = [];
    for await (const frame of wire.encodeEvents(each(events(count)))) frames.push(frame);
    const bytes = new TextEncoder().encode(frames.join(""));
    return () => drain(wire.decodeBatches(pieces(bytes, cut)));
  };
  return { what, count: 5_000, prepare };
}

async function newLog(): Promise<SessionLog> {
  sessions += 1;
  const session = `s${sessions}`;
  await store.create({ id: session, workspace: directory, createdAt: Date.now() });
  return SessionLog.open({ store, session, epoch: await store.claim(session) });
}

function filling(log: SessionLog, count: number): () => Promise<void> {
  return async () => {
    for (let at = 0; at < count; at += 1) await log.append(note);
  };
}

async function following(count: number): Promise<() => Promise<void>> {
  const log = await newLog();
  await Promise.all(Array.from({ length: count }, () => log.append(note)));
  return async () => {
    const stop = new AbortController();
    for await (const event of log.follow(0, stop.signal))
      if ("seq" in event && event.seq === count) stop.abort();
  };
}

function streaming(log: SessionLog, count: number): () => Promise<void> {
  return async () => {
    for (let at = 0; at < count; at += 1) {
      log.signal({ type: "text-delta", block: 1, offset: at * 6, text: "words " });
      if (at % 20 === 19) await new Promise((resolve) => setImmediate(resolve));
    }
    await log.append({ type: "text", block: 1, text: "words ".repeat(count), by: "model" });
  };
}

async function opening(count: number): Promise<() => Promise<void>> {
  const log = await newLog();
  await Promise.all(Array.from({ length: count }, () => log.append(note)));
  const session = `s${sessions}`;
  return async () => {
    await SessionLog.open({ store, session, epoch: 1 });
  };
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) yield item;
}

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function drain(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}
