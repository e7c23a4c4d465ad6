/** Waiting for work that goes on by itself: no longer than allowed, and without leaving anything behind. */

import { expect, test } from "vitest";
import { inTime, untilAborted } from "./async.ts";

const never = new Promise<string>(() => {});

test("work is waited for until it is done, the time is over, or the signal is aborted", async () => {
  const stop = new AbortController();
  const waiting = inTime(never, { signal: stop.signal });
  stop.abort();
  expect(await waiting).toBeUndefined();
  expect(await inTime(never, { ms: 60_000, signal: stop.signal })).toBeUndefined();
  expect(await inTime(never, { ms: 1 })).toBeUndefined();
  expect(await inTime(Promise.resolve("done"), { ms: 60_000 })).toBe("done");
  await expect(inTime(Promise.reject(new Error("no")), { ms: 60_000 })).rejects.toThrow("no");
});

test("work that is abandoned rejects with the reason, and may fail later unheard", async () => {
  const stop = new AbortController();
  const late = Promise.withResolvers<string>();
  const waiting = untilAborted(late.promise, stop.signal);
  stop.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  late.reject(new Error("late"));
  await expect(untilAborted(Promise.resolve("done"), stop.signal)).rejects.toThrow("enough");
  expect(await untilAborted(Promise.resolve("done"), new AbortController().signal)).toBe("done");
});
