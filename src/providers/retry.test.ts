import { expect, test } from "vitest";
import { HttpProblem, type HttpProblemCode } from "../base/http.ts";
import { ModelError } from "../protocol/model-events.ts";
import { isWorthRetrying, longestWait, sleep } from "./retry.ts";

test("a Retry-After above the longest wait is not worth a retry", () => {
  const asks = (retryAfter: number) =>
    isWorthRetrying(new ModelError("rate-limit", "Slow down.", { retryAfter }));
  expect([7000, longestWait, longestWait + 1].map(asks)).toEqual([true, true, false]);
});

test("a reset or a connect timeout is worth a retry; an unreachable or silent server is not", () => {
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

test("sleep rejects when its signal is aborted", async () => {
  const stop = new AbortController();
  const waiting = sleep(1_000_000, stop.signal);
  stop.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
});
