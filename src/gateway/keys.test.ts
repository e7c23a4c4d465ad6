/** Tokens and one-time codes cannot be guessed, codes work once, and browsers' keys die with their secret. */

import { expect, onTestFinished, test, vi } from "vitest";
import { Devices } from "./devices.ts";
import { keysOf } from "./keys.ts";

const secret = "1".repeat(64);
const tenMinutes = 600_000;

function stage(now?: () => number) {
  const devices = new Devices({ secret });
  const keys = keysOf({ secret, devices, now });
  const exchange = (code: string, has?: string) =>
    keys.exchange(code, { name: "Firefox", has, loggedIn: "" });
  return { keys, devices, exchange };
}

test("a code can be exchanged once, also when both ask at the same moment", async () => {
  const { keys, exchange, devices } = stage();
  const code = keys.newCode();
  const tokens = await Promise.all([exchange(code), exchange(code), exchange(code)]);
  const [token = ""] = tokens;
  expect(tokens).toEqual([expect.stringMatching(/^device-/u), undefined, undefined]);
  expect(await exchange(code)).toBeUndefined();
  expect(await keys.bearer(token)).toMatchObject({ type: "device", id: devices.list()[0]?.id });
  expect(await keys.bearer(secret)).toEqual({ type: "program" });
  expect(await keys.bearer(code)).toBeUndefined();
  expect(devices.list()).toHaveLength(1);
});

test("a code is valid for ten minutes", async () => {
  let now = 1_000;
  const { keys, exchange } = stage(() => now);
  const [early, late] = [keys.newCode(), keys.newCode()];
  now += tenMinutes;
  expect(await exchange(early)).toBeTypeOf("string");
  now += 1;
  expect(await exchange(late)).toBeUndefined();
});

test("neither a clock that is set back nor a sleeping machine extends the validity of a code", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { keys, exchange } = stage();
  const [soon, back, asleep] = [keys.newCode(), keys.newCode(), keys.newCode()];
  vi.setSystemTime(Date.now() - 86_400_000);
  expect(await exchange(soon)).toBeTypeOf("string");
  vi.advanceTimersByTime(tenMinutes + 1);
  expect(await exchange(back)).toBeUndefined();
  vi.setSystemTime(Date.now() + 2 * 86_400_000);
  expect(await exchange(asleep)).toBeUndefined();
});

test("a code that was never issued is rejected", async () => {
  const { keys, exchange } = stage();
  const code = keys.newCode();
  for (const wrong of ["", "x", code.slice(1), `${code} `, code.toUpperCase(), "__proto__"])
    if (wrong !== code) expect(await exchange(wrong), wrong).toBeUndefined();
});

test("too many unused codes evict the oldest", async () => {
  const { keys, exchange } = stage();
  const codes = Array.from({ length: 65 }, () => keys.newCode());
  expect(await exchange(codes[0] ?? "")).toBeUndefined();
  expect(await exchange(codes[1] ?? "")).toBeTypeOf("string");
  expect(await exchange(codes.at(-1) ?? "")).toBeTypeOf("string");
});

test("a browser that is signed in keeps its key when it opens another link, which is used up", async () => {
  const { keys, exchange, devices } = stage();
  const token = await exchange(keys.newCode());
  const code = keys.newCode();
  expect(await exchange(code, token)).toBe(token);
  expect(await exchange(code)).toBeUndefined();
  expect(devices.list()).toHaveLength(1);
  const other = await exchange(keys.newCode(), `${token}0`);
  expect(other).not.toBe(token);
  expect(await exchange("never given", token)).toBeUndefined();
  // The program's own token is no browser's: it is not handed back.
  expect(await exchange(keys.newCode(), secret)).toBeTypeOf("string");
  expect(devices.list()).toHaveLength(3);
});

test("every browser gets its own key, and an altered one is rejected", async () => {
  const { keys, exchange } = stage();
  const tokens = [await exchange(keys.newCode()), await exchange(keys.newCode())];
  expect(new Set(tokens).size).toBe(2);
  const [token = ""] = tokens;
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === "0" ? "1" : "0";
    expect(await keys.bearer(token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
  }
  for (const wrong of ["", `${token}0`, token.slice(0, -1), ` ${token}`, `${token}\n`, secret.slice(1)])
    expect(await keys.bearer(wrong)).toBeUndefined();
});
