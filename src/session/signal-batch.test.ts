import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Signal } from "../protocol/facts.ts";
import { block, delta, newLog, note, output, reasoningDelta, words } from "./testing/watched-log.ts";

/** Timers and the clock stand still until a test advances them. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const progress = (characters: number): Signal => ({ type: "call-delta", callId: "c", name: "n", characters });

test("A25: deltas are merged and delivered at most every 32 ms, even if no timer fires", async () => {
  let now = 0;
  const { log, told } = await newLog({ now: () => now });
  const pieces: { at: number; text: string }[] = [];
  log.listen((event) => event.type === "reasoning-delta" && pieces.push({ at: now, text: event.text }));
  for (let offset = 0; offset < 1000; offset += 1, now += 1) log.signal(reasoningDelta(1, offset, "x"));
  expect(pieces.map(({ text }) => text.length)).toEqual([1, ...Array.from({ length: 31 }, () => 32)]);
  const gaps = pieces.slice(1).map(({ at }, index) => at - (pieces[index]?.at ?? 0));
  expect(Math.min(...gaps)).toBe(32);
  await log.append({ type: "reasoning", block: 1, text: "x".repeat(1000) });
  const told2 = told.filter((event) => event.type === "reasoning-delta");
  expect(told2.map((event) => ("offset" in event ? event.offset : -1))).toEqual([
    0,
    ...Array.from({ length: 31 }, (_, index) => 1 + index * 32),
    993,
  ]);
  expect(words(told2).join("")).toBe("x".repeat(1000));
  expect(told.at(-1)?.type).toBe("reasoning");
});

test("a closed log waits to deliver nothing, and still announces facts", async () => {
  const { log, told } = await newLog();
  log.signal(reasoningDelta(1, 0, "first"));
  log.signal(reasoningDelta(1, 5, " second"));
  log.close();
  expect(vi.getTimerCount()).toBe(0);
  await log.append(note("last"));
  expect(words(told)).toEqual(["first", " second", "last"]);
});

test("A25: held text is delivered after a pause of 32 ms", async () => {
  const { log, told } = await newLog();
  log.signal(reasoningDelta(1, 0, "first"));
  log.signal(reasoningDelta(1, 5, " second"));
  expect(words(told)).toEqual(["first"]);
  vi.advanceTimersByTime(31);
  expect(words(told)).toEqual(["first"]);
  vi.advanceTimersByTime(1);
  expect(words(told)).toEqual(["first", " second"]);
});

test("A25: a clock that jumps back does not hold up the text", async () => {
  const { log, told } = await newLog();
  log.signal(reasoningDelta(1, 0, "a"));
  vi.setSystemTime(0);
  log.signal(reasoningDelta(1, 1, "b"));
  expect(words(told)).toEqual(["a", "b"]);
});

test("A26: the first text of a block needs eight word characters, later text needs one", async () => {
  const { log, told } = await newLog({ batchMs: 0 });
  const say = (text: string, offset: number) => log.signal(delta(1, offset, text));
  say("## **Hi", 0);
  say(", you_7", 7);
  expect(told).toEqual([]);
  say("!", 14);
  expect(told).toEqual([]);
  say(" x", 15);
  expect(words(told)).toEqual(["## **Hi, you_7! x"]);
  say("\n\n", 17);
  expect(told).toHaveLength(1);
  say("- y", 19);
  expect(words(told)).toEqual(["## **Hi, you_7! x", "\n\n- y"]);
  await log.append(block(1, "## **Hi, you_7! x\n\n- y"));
  log.signal(delta(2, 0, "seven77"));
  expect(words(told)).toHaveLength(3);
  vi.advanceTimersByTime(1000);
  expect(words(told)).toHaveLength(3);
});

test("A26: letters of every script are word characters, and reasoning is not gated", async () => {
  const { log, told } = await newLog({ batchMs: 0 });
  log.signal(reasoningDelta(1, 0, "?"));
  log.signal(delta(2, 0, "我将阅读这个文件"));
  expect(words(told)).toEqual(["?", "我将阅读这个文件"]);
});

test("held signals are delivered before the fact that follows, however short they are", async () => {
  const { log, told } = await newLog();
  log.signal(reasoningDelta(1, 0, "hm"));
  log.signal(reasoningDelta(1, 2, "!"));
  await log.append({ type: "reasoning", block: 1, text: "hm!" });
  log.signal(delta(2, 0, "Ok"));
  await log.append(block(2, "Ok"), note("done"));
  expect(words(told)).toEqual(["hm", "!", "hm!", "Ok", "Ok", "done"]);
});

test("signals between two appends are delivered between their facts, however slow the store is", async () => {
  const { log, store, told } = await newLog();
  const release = store.hold();
  const appends = [log.append(note("one"))];
  log.signal(output("c", 0, "two"));
  appends.push(log.append(note("three")));
  log.signal(output("c", 3, "four"));
  vi.advanceTimersByTime(100);
  expect(told).toEqual([]);
  release();
  await Promise.all(appends);
  vi.advanceTimersByTime(32);
  expect(words(told)).toEqual(["one", "two", "three", "four"]);
});

test("call progress is delivered as its latest count, a retry immediately", async () => {
  const { log, told } = await newLog();
  for (const characters of [0, 10, 20, 30]) log.signal(progress(characters));
  const retrying: Signal = { type: "retrying", because: "overloaded", waitMs: 1000, attempt: 2 };
  log.signal(retrying);
  expect(told).toEqual([progress(0), progress(30), retrying]);
});

test("the last characters of a text are delivered as soon as a call begins", async () => {
  const { log, told } = await newLog();
  log.signal(delta(1, 0, "I look at it"));
  vi.advanceTimersByTime(32);
  log.signal(delta(1, 12, "."));
  vi.advanceTimersByTime(32);
  expect(told).toEqual([delta(1, 0, "I look at it")]);
  log.signal(progress(0));
  expect(told.slice(1)).toEqual([delta(1, 12, "."), progress(0)]);
});

test("overlapping streams keep their own order and offsets", async () => {
  const { log, told } = await newLog();
  log.signal(output("a", 0, "1"));
  for (const [call, offset, text] of [
    ["a", 1, "2"],
    ["b", 0, "x"],
    ["a", 2, "3"],
    ["b", 1, "y"],
    ["a", 9, "gap"],
  ] as const)
    log.signal(output(call, offset, text));
  await log.append(note("end"));
  expect(told.slice(0, -1)).toEqual([
    output("a", 0, "1"),
    output("a", 1, "23"),
    output("b", 0, "xy"),
    output("a", 9, "gap"),
  ]);
});
