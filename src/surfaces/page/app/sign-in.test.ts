import { expect, test } from "vitest";
import { GatewayError } from "../../remote/gateway-error.ts";
import { signIn, signOut } from "./sign-in.ts";

function room(hash: string, exchange: (code: string) => Promise<{ token: string }>) {
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
      removeItem: (name: string) => void kept.delete(name),
    },
    forget: () => {
      forgotten += 1;
    },
  };
}
const used = () =>
  Promise.reject(new GatewayError({ status: 401, code: "unauthorized", message: "The code was used." }));

test("a one-time code leaves the address before it is exchanged for a token kept by the tab", async () => {
  const first = room("#code=abc", async (code) => {
    expect(first.forgotten()).toBe(1);
    return { token: `for ${code}` };
  });
  expect(await signIn(first)).toEqual({ type: "token", token: "for abc" });
  expect(await signIn({ ...first, hash: "#/s/x" })).toEqual({ type: "token", token: "for abc" });
});

test("a used code does not sign out a signed-in user", async () => {
  const later = room("#code=abc", used);
  later.storage.setItem("toolwright-token", "known");
  expect(await signIn(later)).toEqual({ type: "token", token: "known" });
});

test("a failed sign-in gives its reason", async () => {
  expect(await signIn(room("", used))).toEqual({
    type: "none",
    because: "This address contains no sign-in code.",
  });
  expect(await signIn(room("#code=abc", used))).toEqual({
    type: "none",
    because: "The link was not accepted: The code was used.",
  });
  expect(await signIn(room("#code=abc", () => Promise.reject(new TypeError("no network"))))).toEqual({
    type: "none",
    because: "The gateway did not answer. Is it still running?",
  });
});

test("signing out forgets the token", async () => {
  const some = room("#code=abc", async () => ({ token: "t" }));
  await signIn(some);
  signOut(some.storage);
  expect(some.kept.size).toBe(0);
});
