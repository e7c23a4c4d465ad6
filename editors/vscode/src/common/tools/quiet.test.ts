import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { untilQuiet } from "./quiet.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function stage(signal = new AbortController().signal) {
  const signs = new Set<() => void>();
  const listen = (sign: () => void) => {
    signs.add(sign);
    return () => void signs.delete(sign);
  };
  const waiting = untilQuiet(listen, { first: 1_000, quiet: 100, most: 5_000 }, signal);
  return { waiting, signs, work: () => signs.forEach((sign) => sign()) };
}

test("what works and falls silent is quiet", async () => {
  const { waiting, work, signs } = stage();
  await vi.advanceTimersByTimeAsync(900);
  work();
  await vi.advanceTimersByTimeAsync(99);
  work();
  await vi.advanceTimersByTimeAsync(100);
  expect(await waiting).toBe(true);
  expect(signs.size).toBe(0);
});

test("what never begins is quiet after the first wait", async () => {
  const { waiting } = stage();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await waiting).toBe(true);
});

test("what never falls silent is waited for no longer than allowed", async () => {
  const { waiting, work } = stage();
  for (let at = 0; at < 100; at += 1) {
    work();
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(await waiting).toBe(false);
});

test("a wait that is given up ends at once", async () => {
  const giving = new AbortController();
  const { waiting, signs } = stage(giving.signal);
  giving.abort();
  expect(await waiting).toBe(false);
  expect(signs.size).toBe(0);
});
