import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StoreError } from "./store.ts";
import { delta, newLog, reasoningDelta, user, words } from "./testing/watched-log.ts";

/** Timers and the clock stand still until a test advances them. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

test("streamed text is stored every 250 ms, every 4 KB and after a pause, until its fact is stored", async () => {
  const { log, store } = await newLog({ batchMs: 0 });
  const kept = async () => {
    await setImmediate(); // the store writes what comes in one turn of the event loop together
    return store.openBlock("s");
  };
  await vi.advanceTimersByTimeAsync(250);
  log.signal(reasoningDelta(1, 0, "a"));
  expect(await kept()).toEqual({ block: 1, kind: "reasoning", text: "a" });
  log.signal(reasoningDelta(1, 1, "b"));
  expect((await kept())?.text).toBe("a");
  await vi.advanceTimersByTimeAsync(250);
  expect((await kept())?.text).toBe("ab");
  log.signal(reasoningDelta(1, 2, "c".repeat(5000)));
  expect((await kept())?.text).toHaveLength(5002);
  log.signal(reasoningDelta(1, 5002, "d"));
  await log.append({ type: "reasoning", block: 1, text: "whole" });
  await vi.advanceTimersByTimeAsync(1000);
  expect(await kept()).toBeUndefined();
});

test("sessions that began at different times store what they stream at the same times", async () => {
  const times: number[][] = [];
  for (const begun of [0, 70, 190]) {
    vi.setSystemTime(2_000_000 + begun);
    const { log, store } = await newLog({ batchMs: 0 });
    const stored: number[] = [];
    for (let offset = 0; Date.now() < 2_002_000; offset += 1) {
      log.signal(reasoningDelta(1, offset, "a"));
      await vi.advanceTimersByTimeAsync(10);
      if (store.kept.length > stored.length) stored.push(Date.now());
    }
    log.close();
    times.push(stored);
  }
  const regular = [500, 750, 1000, 1250, 1500, 1750].map((after) => 2_000_000 + after);
  for (const stored of times) expect(stored).toEqual(expect.arrayContaining(regular));
});

test("storing a megabyte of streamed text writes a multiple of its length, not its square", async () => {
  let now = 0;
  const { log, store } = await newLog({ batchMs: 0, now: () => now });
  const piece = "word ".repeat(10);
  for (let offset = 0; offset < 1024 * 1024; offset += piece.length, now += 0.001) {
    log.signal(delta(1, offset, piece));
    if (offset % 1000 === 0) await setImmediate();
  }
  const written = store.kept.reduce((sum, row) => sum + (row?.text.length ?? 0), 0);
  expect(written).toBeLessThan(20 * 1024 * 1024);
  expect(store.kept.length).toBeGreaterThan(10);
});

test("a store that cannot keep the open block does not disturb the stream", async () => {
  const { log, store, told } = await newLog({ batchMs: 0 });
  store.keepOpenBlock = () => Promise.reject(new StoreError("full"));
  vi.advanceTimersByTime(250);
  log.signal(reasoningDelta(1, 0, "a"));
  log.signal(reasoningDelta(1, 1, "b"));
  await log.append(user);
  expect(words(told)).toEqual(["a", "b", "user-message"]);
});
