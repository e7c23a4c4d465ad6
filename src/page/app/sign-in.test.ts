import { expect, test } from "vitest";
import { GatewayError } from "../../remote/gateway-error.ts";
import { keptKey, signIn, tellsOfSignIn } from "./sign-in.ts";

function context(
  hash: string,
  exchange: (given: { code: string; has?: string }) => Promise<{ token: string }>,
) {
  const kept = new Map<string, string>();
  let forgotten = 0;
  return {
    kept,
    forgotten: () => forgotten,
    hash,
    exchange,
    storage: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
    },
    forget: () => {
      forgotten += 1;
    },
  };
}
const used = () =>
  Promise.reject(new GatewayError({ status: 401, code: "unauthorized", message: "The code was used." }));

test("a one-time code leaves the address before it is exchanged for a key, which every tab has from then on", async () => {
  const first = context("#code=abc", async ({ code }) => {
    expect(first.forgotten()).toBe(1);
    return { token: `for ${code}` };
  });
  expect(await signIn(first)).toEqual({ type: "token", token: "for abc" });
  expect(await signIn({ ...first, hash: "#/s/x" })).toEqual({ type: "token", token: "for abc" });
});

test("a used code does not sign out a signed-in user", async () => {
  const later = context("#code=abc", used);
  later.storage.setItem("toolwright-key", "known");
  expect(await signIn(later)).toEqual({ type: "token", token: "known" });
});

test("a failed sign-in gives its reason", async () => {
  expect(await signIn(context("", used))).toEqual({
    type: "none",
    because: "This address contains no sign-in code.",
  });
  expect(await signIn(context("#code=abc", used))).toEqual({
    type: "none",
    because: "The link was not accepted: The code was used.",
  });
  expect(await signIn(context("#code=abc", () => Promise.reject(new TypeError("no network"))))).toEqual({
    type: "none",
    because: "The gateway did not answer. Is it still running?",
  });
});

test("a browser that has a key shows it with the code, so that it stays the same browser", async () => {
  const given: unknown[] = [];
  const some = context("#code=abc", async (one) => {
    given.push(one);
    return { token: "new" };
  });
  await signIn(some);
  await signIn(some);
  expect(given).toEqual([{ code: "abc" }, { code: "abc", has: "new" }]);
});

test("a storage that is full or forbidden does not spoil a sign-in", async () => {
  const full = context("#code=abc", async () => ({ token: "t" }));
  full.storage.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  expect(await signIn(full)).toEqual({ type: "token", token: "t" });
  expect(keptKey(full.storage)).toBeUndefined();
});

test("only a key stored by another tab tells of a sign-in", () => {
  expect(tellsOfSignIn({ key: "toolwright-key", newValue: "t" })).toBe(true);
  for (const [key, newValue] of [
    ["toolwright-key", null],
    ["toolwright-theme", "dark"],
    [null, null],
  ] as const)
    expect(tellsOfSignIn({ key, newValue })).toBe(false);
});
