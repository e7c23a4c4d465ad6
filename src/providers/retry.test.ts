import { expect, test } from "vitest";
import { HttpProblem, type HttpProblemCode } from "../base/http.ts";
import { ModelError } from "../protocol/model-events.ts";
import { isWorthRetrying, longestWait, sleep, waitBefore } from "./retry.ts";

test("waits grow from half a second to at most eight, with jitter that never makes them vanish", () => {
  const error = new ModelError("server", "It failed.");
  const waits = (random: number) =>
    [1, 2, 3, 4, 5, 6, 20].map((attempt) => waitBefore(attempt, error, () => random));
  expect(waits(0)).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000]);
  expect(waits(1)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
});

test("a wait that the provider asks for is kept, never shortened", () => {
  const error = new ModelError("rate-limit", "Slow down.", { retryAfter: 7000 });
  expect([0, 1].map((random) => waitBefore(3, error, () => random))).toEqual([7000, 7250]);
  expect(isWorthRetrying(error)).toBe(true);
  expect(isWorthRetrying(new ModelError("rate-limit", "Tomorrow.", { retryAfter: longestWait + 1 }))).toBe(
    false,
  );
});

test("a broken connection is worth another try, a server that is not there or does not answer is not", () => {
  const codes: HttpProblemCode[] = [
    "reset",
    "timeout-connect",
    "refused",
    "dns",
    "tls",
    "timeout-first",
    "timeout-idle",
    "not-http",
  ];
  const worth = codes.filter((code) =>
    isWorthRetrying(new ModelError("network", "x", { cause: new HttpProblem(code, "x") })),
  );
  expect(worth).toEqual(["reset", "timeout-connect"]);
});

test("a wait ends when it is aborted", async () => {
  const stop = new AbortController();
  const waiting = sleep(1_000_000, stop.signal);
  stop.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
});
