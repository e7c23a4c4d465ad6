import { expect, test } from "vitest";
import { HttpProblem, type HttpProblemCode } from "../base/http.ts";
import { ModelError } from "../protocol/model-events.ts";
import { isWorthRetrying, sleep } from "./worth-retrying.ts";

const lost = (code: HttpProblemCode) => new ModelError("network", "x", { cause: new HttpProblem(code, "x") });
const codes: HttpProblemCode[] = [
  "reset",
  "timeout-connect",
  "refused",
  "dns",
  "unreachable",
  "tls",
  "timeout-first",
  "timeout-idle",
  "not-http",
];

test("a server that was never reached is not waited for, and one that was is", () => {
  const worth = (server: { wasReached: boolean; local: boolean }) =>
    codes.filter((code) => isWorthRetrying(lost(code), server));
  expect(worth({ wasReached: false, local: true })).toEqual(["reset", "timeout-connect"]);
  expect(worth({ wasReached: true, local: true })).toEqual([
    "reset",
    "timeout-connect",
    "refused",
    "dns",
    "unreachable",
  ]);
  expect(worth({ wasReached: false, local: false })).toEqual(["reset", "timeout-connect", "timeout-first"]);
});

test("overload, a rate limit and an error of the server are worth a retry; what the request itself causes is not", () => {
  const kinds = ["overloaded", "rate-limit", "server", "auth", "bad-request", "context-overflow"] as const;
  const server = { wasReached: true, local: false };
  expect(kinds.filter((kind) => isWorthRetrying(new ModelError(kind, "x"), server))).toEqual(
    kinds.slice(0, 3),
  );
});

test("sleep rejects when its signal is aborted", async () => {
  const stop = new AbortController();
  const waiting = sleep(1_000_000, stop.signal);
  stop.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
});
