/** Tokens and one-time codes cannot be guessed, codes work once, and tokens die with their secret. */

import { expect, onTestFinished, test, vi } from "vitest";
import { keysOf } from "./keys.ts";

const secret = "1".repeat(64);

test("a code can be exchanged once", () => {
  const keys = keysOf(secret);
  const code = keys.newCode();
  const token = keys.exchange(code);
  expect(token).toBeTypeOf("string");
  expect(keys.exchange(code)).toBeUndefined();
  expect(keys.isToken(token ?? "")).toBe(true);
  expect(keys.isToken(code)).toBe(false);
});

test("a code is valid for one minute", () => {
  let now = 1_000;
  const keys = keysOf(secret, () => now);
  const [early, late] = [keys.newCode(), keys.newCode()];
  now += 60_000;
  expect(keys.exchange(early)).toBeTypeOf("string");
  now += 1;
  expect(keys.exchange(late)).toBeUndefined();
});

test("neither a clock that is set back nor a sleeping machine extends the validity of a code", () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const keys = keysOf(secret);
  const [soon, back, asleep] = [keys.newCode(), keys.newCode(), keys.newCode()];
  vi.setSystemTime(Date.now() - 86_400_000);
  expect(keys.exchange(soon)).toBeTypeOf("string");
  vi.advanceTimersByTime(60_001);
  expect(keys.exchange(back)).toBeUndefined();
  vi.setSystemTime(Date.now() + 2 * 86_400_000);
  expect(keys.exchange(asleep)).toBeUndefined();
});

test("a code that was never issued is rejected", () => {
  const keys = keysOf(secret);
  const code = keys.newCode();
  for (const wrong of ["", "x", code.slice(1), `${code} `, code.toUpperCase(), "__proto__"])
    if (wrong !== code) expect(keys.exchange(wrong), wrong).toBeUndefined();
});

test("too many unused codes evict the oldest", () => {
  const keys = keysOf(secret);
  const codes = Array.from({ length: 65 }, () => keys.newCode());
  expect(keys.exchange(codes[0] ?? "")).toBeUndefined();
  expect(keys.exchange(codes[1] ?? "")).toBeTypeOf("string");
  expect(keys.exchange(codes.at(-1) ?? "")).toBeTypeOf("string");
});

test("a page's token stays valid after a restart, but not with another secret", () => {
  const before = keysOf(secret);
  const token = before.exchange(before.newCode()) ?? "";
  expect(keysOf(secret).isToken(token)).toBe(true);
  expect(keysOf("2".repeat(64)).isToken(token)).toBe(false);
});

test("every page gets its own token, and an altered token is rejected", () => {
  const keys = keysOf(secret);
  const tokens = [keys.newCode(), keys.newCode()].map((code) => keys.exchange(code) ?? "");
  expect(new Set(tokens).size).toBe(2);
  const [token = ""] = tokens;
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === "0" ? "1" : "0";
    expect(keys.isToken(token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
  }
  for (const wrong of ["", `${token}0`, token.slice(0, -1), ` ${token}`, `${token}\n`, secret.slice(1)])
    expect(keys.isToken(wrong)).toBe(false);
});
