import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { factVersion, type Entry, type Fact } from "../protocol/facts.ts";
import { step } from "../protocol/fold.ts";
import { emptyState } from "../protocol/session-state.ts";
import { SessionLog } from "./log.ts";
import { StaleEpoch, StoreError } from "./store.ts";
import { wholeLog } from "./testing/log-arbitrary.ts";
import { newLog, note, reasoningDelta, turnEnd, user, words } from "./testing/watched-log.ts";

/** Timers and the clock stand still until a test advances them. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

test("facts are stamped with gapless numbers, the version and their turn", async () => {
  const { log } = await newLog();
  const first = await log.append(note("before"), user, note("in"));
  const second = await log.append(user, turnEnd);
  const third = await log.append(note("between"));
  const fourth = await log.append(user);
  const all = [...first, ...second, ...third, ...fourth];
  expect(all.map(({ seq, turn, v }) => [seq, turn, v])).toEqual([
    [1, 0, factVersion],
    [2, 1, factVersion],
    [3, 1, factVersion],
    [4, 1, factVersion],
    [5, 1, factVersion],
    [6, 1, factVersion],
    [7, 2, factVersion],
  ]);
  expect(log.entries).toEqual(all);
  expect(log.state.seq).toBe(7);
});

test("A41: timestamps never go back with the clock, and a message is strictly later than the fact before it", async () => {
  const times = [5000, 5000, 100, 7000, 7000];
  const { log } = await newLog({ now: () => times.shift() ?? 7000 });
  times.splice(0, times.length, 5000, 5000, 100, 7000, 7000);
  const steer: Fact = { type: "steer", content: [{ type: "text", text: "and this" }] };
  const entries = await log.append(note("a"), user, note("b"), note("c"), steer);
  expect(entries.map(({ at }) => at)).toEqual([5000, 5001, 5001, 7000, 7001]);
});

test("A38: listeners receive what is stored, in the same order, and a reopened log is the same", async () => {
  await fc.assert(
    fc.asyncProperty(wholeLog, fc.array(fc.nat({ max: 3 })), async (facts, sizes) => {
      const { log, store, told } = await newLog();
      const appends: Promise<Entry[]>[] = [];
      for (let start = 0, turn = 0; start < facts.length; turn += 1) {
        const size = (sizes[turn % (sizes.length || 1)] ?? 0) + 1;
        appends.push(log.append(...facts.slice(start, start + size).map(withoutStamp)));
        if (size === 2) await appends.at(-1);
        start += size;
      }
      const answers = (await Promise.all(appends)).flat();
      expect(told).toEqual(answers);
      expect(await store.read("s", 0)).toEqual(answers);
      expect(answers.map(({ seq, turn }) => [seq, turn])).toEqual(facts.map(({ seq, turn }) => [seq, turn]));

      const again = await SessionLog.open({ store, session: "s", epoch: await store.claim("s") });
      expect(again.entries).toEqual(log.entries);
      expect(again.state).toEqual(log.state);
      expect(log.state).toEqual(answers.reduce(step, emptyState()));
    }),
    { numRuns: 50 },
  );
});

test("a fact is stored and folded before listeners receive it", async () => {
  const { log, store } = await newLog();
  const seen: unknown[] = [];
  log.listen((event) => {
    if ("seq" in event) seen.push(log.state.seq, log.entries.length, store.read("s", 0));
  });
  await log.append(user);
  expect(await Promise.all(seen)).toEqual([1, 1, [expect.objectContaining({ seq: 1 })]]);
});

test("appends during a write share the next transaction, in call order", async () => {
  const { log, store, told } = await newLog();
  const release = store.hold();
  const first = [log.append(note("1")), log.append(note("2"), note("3"))];
  await vi.waitFor(() => expect(store.appends).toEqual([3]));
  const later = [log.append(note("4")), log.append(), log.append(note("5"))];
  expect(told).toEqual([]);
  release();
  expect((await Promise.all([...first, ...later])).map(words)).toEqual([["1"], ["2", "3"], ["4"], [], ["5"]]);
  expect(store.appends).toEqual([3, 2]);
  expect(words(told)).toEqual(["1", "2", "3", "4", "5"]);
});

test("the time of a fact is a whole number, whatever the clock tells", async () => {
  const { log } = await newLog({ now: () => 1_000.75 });
  expect((await log.append(note("a"), user)).map(({ at }) => at)).toEqual([1_000, 1_001]);
});

test("a failed append notifies nobody and changes nothing, and the next one continues without a gap", async () => {
  const { log, store, told } = await newLog();
  await log.append(user);
  store.failure = new StoreError("the disk is full");
  const failed = [log.append(note("lost")), log.append(note("lost too"))];
  for (const append of failed) await expect(append).rejects.toThrow(store.failure);
  expect(log.broken).toBe(store.failure);
  expect([log.state.seq, log.entries.length, told.length]).toEqual([1, 1, 1]);
  store.failure = undefined;
  expect(await log.append(note("kept"))).toMatchObject([{ seq: 2 }]);
  expect(log.broken).toBeUndefined();
});

test("after another process takes the session over, every append is refused, including waiting ones", async () => {
  const { log, store, told } = await newLog();
  await store.claim("s");
  const release = store.hold();
  const first = log.append(user);
  log.signal(reasoningDelta(1, 0, "between"));
  const second = log.append(user);
  release();
  await expect(first).rejects.toThrow(StaleEpoch);
  await expect(second).rejects.toThrow(StaleEpoch);
  await expect(log.append(user)).rejects.toThrow(StaleEpoch);
  expect(store.appends).toHaveLength(1);
  expect(words(told)).toEqual(["between"]);
  expect(log.broken).toBeInstanceOf(StaleEpoch);
});

test("an error thrown by a listener affects neither the log nor the other listeners", async () => {
  const faults: unknown[] = [];
  const queue = vi.spyOn(globalThis, "queueMicrotask").mockImplementation((work) => {
    try {
      work();
    } catch (error) {
      faults.push(error);
    }
  });
  const { log } = await newLog();
  log.listen(() => {
    throw new Error("mine");
  });
  const heard: string[] = [];
  const leave = log.listen((event) => heard.push(event.type));
  await log.append(user);
  leave();
  await log.append(turnEnd);
  queue.mockRestore();
  expect(heard).toEqual(["user-message"]);
  expect(faults.map(String)).toEqual(["Error: mine", "Error: mine"]);
});

function withoutStamp(entry: Entry): Fact {
  const { v: _v, seq: _seq, at: _at, turn: _turn, ...fact } = entry;
  return fact as Fact;
}
