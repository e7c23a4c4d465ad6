import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry, Signal } from "../protocol/facts.ts";
import { scale } from "../testing/scale.ts";
import { mostFollowerText } from "./follower.ts";
import { LogWindow } from "./log-window.ts";
import { SessionLog } from "./log.ts";
import { mostSignalText } from "./signal-batch.ts";
import { type PageSize, StoreError } from "./store.ts";
import {
  block,
  newLog,
  note,
  output,
  reasoningDelta,
  turnEnd,
  user,
  words,
  WatchedStore,
} from "./testing/watched-log.ts";

const entry = (seq: number, text: string): Entry => ({
  type: "warning",
  code: "c",
  text,
  v: 1,
  seq,
  at: 0,
  turn: 0,
});

test("a window holds the newest entries within both of its limits, and always the last one", () => {
  const sizes = fc.record({
    entries: fc.integer({ min: 1, max: 9 }),
    bytes: fc.integer({ min: 1, max: 90 }),
  });
  fc.assert(
    fc.property(sizes, fc.array(fc.nat({ max: 30 })), (size, lengths) => {
      const window = new LogWindow(size);
      for (const [index, length] of lengths.entries()) {
        window.push(entry(index + 1, "x".repeat(length)));
        const held = window.entries;
        expect(window.last).toBe(index + 1);
        expect(held.length).toBeLessThanOrEqual(size.entries);
        expect(held.map(({ seq }) => seq)).toEqual(held.map((_, at) => window.first + at));
        // "warning" and "c" count as text, too
        const units = lengths.slice(window.first - 1, index + 1).reduce((sum, one) => sum + one + 8, 0);
        expect(held.length === 1 || units <= size.bytes).toBe(true);
        expect([window.at(window.first - 1), window.at(index + 2)]).toEqual([undefined, undefined]);
        expect(window.at(index + 1)?.seq).toBe(index + 1);
      }
    }),
  );
});

/** Each read takes a given number of event-loop turns. */
class SlowStore extends WatchedStore {
  readonly delays: number[] = [];
  reads = 0;

  override async read(session: string, after: number, most?: PageSize): Promise<Entry[]> {
    this.reads += 1;
    const delay = this.delays.shift() ?? 0;
    for (let turn = 0; turn < delay; turn += 1) await Promise.resolve();
    return super.read(session, after, most);
  }
}

async function slowLog(
  window: { entries: number; bytes: number },
  before: number,
): Promise<{ log: SessionLog; store: SlowStore }> {
  const store = new SlowStore();
  await store.create({ id: "s", workspace: "/w", createdAt: 0 });
  const setup = { store, session: "s", batchMs: 0, window };
  const first = await SessionLog.open({ ...setup, epoch: await store.claim("s") });
  for (let index = 1; index <= before; index += 1) await first.append(note(`before ${index}`));
  return { log: await SessionLog.open({ ...setup, epoch: await store.claim("s") }), store };
}

type Reader = { after: number; read: (Entry | Signal)[]; done: Promise<void> };

test("A38: readers lose, repeat and reorder nothing, however few entries the window holds", async () => {
  const act = fc.oneof(
    fc.record({ does: fc.constant("write" as const), count: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ does: fc.constant("join" as const), count: fc.nat({ max: 30 }) }),
    fc.record({ does: fc.constant("think" as const), count: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ does: fc.constant("breathe" as const), count: fc.integer({ min: 1, max: 9 }) }),
  );
  const window = fc.record({
    entries: fc.integer({ min: 1, max: 8 }),
    bytes: fc.integer({ min: 1, max: 400 }),
  });
  const delays = fc.array(fc.nat({ max: 6 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(window, fc.nat({ max: 30 }), fc.array(act), delays, async (size, before, acts, slow) => {
      const { log, store } = await slowLog(size, before);
      store.delays.push(...slow);
      const readers: Reader[] = [];
      let [number, offset] = [1, 0];
      for (const { does, count } of acts) {
        if (does === "join") readers.push(follow(log, Math.min(count, log.state.seq)));
        for (let turn = 0; turn < count; turn += 1) {
          if (does === "write") void log.append(note(`${log.state.seq}.${turn}`));
          if (does === "breathe") await Promise.resolve();
          if (does === "think") log.signal(reasoningDelta(number, offset++, "x"));
        }
        if (does === "think" && count === 3) {
          void log.append({ type: "reasoning", block: number, text: "" });
          [number, offset] = [number + 1, 0];
        }
      }
      readers.push(follow(log, 0));
      await log.append(turnEnd);
      await Promise.all(readers.map(({ done }) => done));
      const stored = await store.read("s", 0);
      for (const { after, read } of readers) {
        expect(read.filter((event) => "seq" in event)).toEqual(stored.slice(after));
        expectNoneTooLate(read);
      }
      expect(log.entries.length).toBeLessThanOrEqual(size.entries);
      expect(await all(log.read(before))).toEqual(stored.slice(before));
    }),
    { numRuns: 100 * scale },
  );
});

function follow(log: SessionLog, after: number): Reader {
  const read: (Entry | Signal)[] = [];
  const stop = new AbortController();
  const done = (async () => {
    for await (const event of log.follow(after, stop.signal)) {
      read.push(event);
      if (event.type === "turn-end") return;
    }
  })();
  return { after, read, done };
}

/** No reasoning is delivered after the fact that contains it whole. */
function expectNoneTooLate(read: readonly (Entry | Signal)[]): void {
  let closed = 0;
  for (const event of read) {
    if (event.type === "reasoning") closed = event.block;
    if (event.type === "reasoning-delta") expect(event.block).toBeGreaterThan(closed);
  }
}

const tiny = { entries: 4, bytes: 1000 };

test("a reopened log holds no more than its window, and its state covers every fact", async () => {
  const { log } = await slowLog(tiny, 1000);
  expect(log.state.seq).toBe(1000);
  expect(log.entries.length).toBeLessThanOrEqual(4);
  const [first] = await all(log.read(0));
  expect(first).toMatchObject({ seq: 1, text: "before 1" });
});

test("until finds an entry that has left the window, and openTurn returns the whole open turn", async () => {
  const { log } = await slowLog(tiny, 0);
  await log.append(user, block(1, "early"), turnEnd, user);
  for (let index = 0; index < 300; index += 1) await log.append(note(`${index}`));
  const stop = AbortSignal.timeout(60_000);
  expect(await log.until((told) => told.type === "text", stop, 0)).toMatchObject({ text: "early" });
  const open = await log.openTurn();
  expect(open.map(({ seq }) => seq)).toEqual(Array.from({ length: 301 }, (_, at) => at + 4));
  await log.append(turnEnd);
  expect(await log.openTurn()).toEqual([]);
});

test("entries missing from the database are a StoreError, not an endless search", async () => {
  const { log, store } = await slowLog(tiny, 50);
  store.read = async () => [];
  const reading = log.follow(0, AbortSignal.timeout(60_000)).next();
  await expect(reading).rejects.toThrow(StoreError);
  await expect(reading).rejects.toThrow("Facts 1 to 46 of session s are not in the database any more");
});

test("a stalled reader holds no more of a command's output than its limit", async () => {
  const { log } = await newLog({ batchMs: 0 });
  const stop = new AbortController();
  const sleeper = log.follow(0, stop.signal);
  const first = sleeper.next();
  await log.append(note("0"));
  await first;
  const piece = "x".repeat(64 * 1024);
  const pieces = 200;
  for (let index = 0; index < pieces; index += 1) log.signal(output("c", index * piece.length, piece));
  await log.append(turnEnd);
  let [held, end] = [0, 0];
  for await (const event of sleeper) {
    if (event.type === "output-delta")
      [held, end] = [held + event.text.length, event.offset + event.text.length];
    if (event.type === "turn-end") break;
  }
  expect(held).toBeLessThanOrEqual(mostFollowerText);
  expect(end).toBe(pieces * piece.length); // its newest part
});

test("a command's output waiting for a write stays within its limit", async () => {
  const { log, store, told } = await newLog({ batchMs: 0 });
  const release = store.hold();
  const written = log.append(note("slow"));
  const piece = "x".repeat(64 * 1024);
  for (let index = 0; index < 200; index += 1) log.signal(output("c", index * piece.length, piece));
  release();
  await written;
  await log.append(note("after"));
  const shown = told.flatMap((event) => (event.type === "output-delta" ? [event] : []));
  expect(shown.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(mostSignalText);
  expect(shown.at(-1)).toMatchObject({ callId: "c" });
  expect(words(told).filter((text) => !text.startsWith("x"))).toEqual(["slow", "after"]);
});

async function all(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const read: Entry[] = [];
  for await (const one of entries) read.push(one);
  return read;
}
