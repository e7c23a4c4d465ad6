/** `toolwright admin`: tenants, people and tokens are made, listed and taken away, and stuck sessions are ended. */

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { People } from "../hosting/people/people.ts";
import { factVersion } from "../protocol/facts.ts";
import { openStore } from "../runtime/runtime.ts";
import type { Store } from "../session/store.ts";
import { testTerminal } from "../tui/testing/terminal.ts";
import { runCli } from "./main.ts";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "toolwright-home-"));
  await mkdir(join(home, "north"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function admin(...words: string[]) {
  const terminal = testTerminal({ env: { HOME: home, PATH: process.env["PATH"] ?? "" }, cwd: home });
  const code = await runCli(["admin", "--state-dir", join(home, "state"), ...words], terminal);
  return { code, out: terminal.printed().trim(), err: terminal.reported() };
}

async function inStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ stateDir: join(home, "state") });
  if (!store.ok) throw new Error(store.problem);
  try {
    return await work(store.value);
  } finally {
    await store.value.close();
  }
}

const signedIn = (token: string) => inStore((store) => new People(store.team).signedIn(token));

test("a tenant, a person and a token are made, listed and taken away", async () => {
  expect((await admin()).out).toContain("There is nobody");
  expect((await admin("tenants", "add", "north", "north")).out).toContain("Sessions of north work in");
  expect((await admin("people", "add", "Ada@Example.org", "north", "owner")).code).toBe(0);
  expect((await admin("people")).out).toBe("ada@example.org  north  owner");
  const token = (await admin("tokens", "add", "ada@example.org", "read", "7")).out;
  expect(await signedIn(token)).toMatchObject({ id: "ada@example.org", most: "read", role: "owner" });
  const listed = await admin("tokens", "--output", "json");
  const { tokens }: { tokens: { id: string }[] } = JSON.parse(listed.out);
  expect(tokens).toMatchObject([{ person: "ada@example.org", most: "read" }]);
  expect(listed.out).not.toContain(token.slice(-64));
  expect((await admin("tokens", "revoke", tokens[0]?.id ?? "")).code).toBe(0);
  expect(await signedIn(token)).toBeUndefined();
  expect((await admin("tenants", "remove", "north")).err).toContain("ada@example.org belongs to the tenant");
  expect((await admin("people", "remove", "ada@example.org")).code).toBe(0);
  expect((await admin("tenants", "remove", "north")).code).toBe(0);
  expect((await admin("tenants")).out).toContain("There is no tenant");
});

test("a tenant's limits are set, shown with what was used, kept when it moves, and taken away", async () => {
  await admin("tenants", "add", "north", "north");
  const limit = async (...words: string[]) => (await admin("tenants", "limit", "north", ...words)).out;
  expect(await limit("sessions", "5")).toBe("north may have 5 sessions at once.");
  expect(await limit("rounds", "2000")).toBe("north may have 2000 rounds a day.");
  expect(await limit("dollars", "12.5")).toBe("north may have 12.5 dollars a day.");
  await admin("tenants", "add", "north", ".");
  expect((await admin("tenants")).out).toMatch(
    /^north {2}\S+ {2}0 of 5 sessions run {2}0 of 2000 rounds today {2}\$0\.00 of 12\.50 today$/,
  );
  expect(await limit("rounds", "none")).toBe("north has no limit of rounds any more.");
  const { tenants } = JSON.parse((await admin("tenants", "--output", "json")).out);
  expect(tenants).toMatchObject([
    { id: "north", sessions: 5, dollars: 12.5, now: { sessions: 0, rounds: 0 } },
  ]);
  expect(tenants[0]).not.toHaveProperty("rounds");
});

test("the audit log has what was done by whom, from a time on, and nothing that failed", async () => {
  expect((await admin("audit")).out).toBe("Nothing is noted.");
  await admin("tenants", "add", "north", "north");
  await admin("people", "add", "ada@example.org", "north", "owner");
  const token = (await admin("tokens", "add", "ada@example.org")).out;
  await admin("people", "add", "ada@example.org", "north", "member");
  await admin("people", "add", "ada@example.org", "south", "member");
  await admin("tenants", "limit", "north", "rounds", "9");
  const id = token.split("-")[1] ?? "";
  for (const _ of [1, 2]) await admin("tokens", "revoke", id);
  await admin("people", "remove", "ada@example.org");
  await admin("tenants", "remove", "north");
  const { entries }: { entries: { did: string; by: string; about: object }[] } = JSON.parse(
    (await admin("audit", "--output", "json")).out,
  );
  expect(entries.map(({ did, about }) => [did, about])).toEqual([
    ["tenant-put", { tenant: "north", workspace: expect.stringContaining("north") }],
    ["person-put", { person: "ada@example.org", tenant: "north", role: "owner" }],
    ["token-made", { person: "ada@example.org", token: id, title: "a program", right: "work", days: 90 }],
    ["person-put", { person: "ada@example.org", tenant: "north", role: "member" }],
    ["limit-set", { tenant: "north", limit: "rounds", most: 9 }],
    ["token-revoked", { token: id, person: "ada@example.org" }],
    ["person-removed", { person: "ada@example.org" }],
    ["tenant-removed", { tenant: "north" }],
  ]);
  for (const { by } of entries) expect(by).toMatch(/ on the command line$/u);
  const lines = (await admin("audit", "--since", "2020-01-01")).out;
  expect(lines).toContain("limit-set");
  expect(lines).toContain("tenant north, limit rounds, most 9");
  expect(lines).not.toContain(token.slice(-64));
  expect((await admin("audit", "--since", "2199-12-31T23:59Z")).out).toBe("Nothing is noted.");
  for (const wrong of ["yesterday", "2026-13-45"])
    expect(await admin("audit", "--since", wrong), wrong).toMatchObject({ code: 2 });
});

test("a session whose program died is listed as stuck, and its request is ended and noted, once", async () => {
  expect((await admin("stuck")).out).toBe("No session is stuck.");
  const stamp = { v: factVersion, at: Date.parse("2026-11-30T08:00:00Z") };
  await inStore(async (store) => {
    await store.create({ id: "s1", workspace: home, createdAt: 1 });
    await store.append("s1", await store.claim("s1"), [
      { ...stamp, type: "session-start", session: "s1", workspace: home, version: "1", seq: 1, turn: 0 },
      { ...stamp, type: "user-message", content: [{ type: "text", text: "Go" }], seq: 2, turn: 1 },
    ]);
  });
  expect((await admin("stuck")).out).toBe(
    "s1  nobody's  no machine known  since 2026-11-30 08:00 UTC  No program has it.",
  );
  expect(JSON.parse((await admin("stuck", "--output", "json")).out)).toEqual({
    sessions: [
      {
        id: "s1",
        title: "Go",
        workspace: home,
        tenant: "",
        person: "",
        machine: "",
        since: stamp.at,
        why: "No program has it.",
      },
    ],
  });
  expect((await admin("stuck", "end", "s1")).out).toBe("Ended the request of session s1.");
  expect((await admin("stuck")).out).toBe("No session is stuck.");
  expect((await inStore((store) => store.read("s1", 2))).at(-1)).toMatchObject({
    type: "turn-end",
    stopped: "interrupted",
    by: "toolwright admin",
  });
  expect(await admin("stuck", "end", "s1")).toMatchObject({
    code: 1,
    err: expect.stringContaining("is over"),
  });
  expect((await admin("audit")).out).toMatch(/turn-ended {2}.* on the command line {2}session s1$/u);
  expect(await admin("stuck", "end")).toMatchObject({ code: 2 });
});

test("what cannot be is refused with a reason, and wrong usage with the right one", async () => {
  await admin("tenants", "add", "north", "north");
  for (const [words, problem] of [
    ["tenants add north nowhere", "There is no directory"],
    ["tenants add North north", "cannot be a tenant's name"],
    ["tenants limit north hours 3", "is no limit of a tenant: sessions, rounds, dollars"],
    ["tenants limit south rounds 3", 'no tenant "south"'],
    ["tenants limit north rounds 1.5", "is a number from 0"],
    ["tenants limit north dollars x", "is a number from 0"],
    ["tenants limit north dollars 1e99", "is a number from 0"],
    ["people add ada north owner", "is no e-mail address"],
    ["people add ada@example.org south owner", 'no tenant "south"'],
    ["people add ada@example.org north king", "is no role: reader, member, owner, administrator"],
    ["people remove ada@example.org", "There is nobody named"],
    ["tokens add ada@example.org", "There is nobody named"],
    ["tokens add ada@example.org fly", "is no right: read, answer, work, manage"],
    ["tokens revoke x", 'no token "x"'],
  ] as const)
    expect(await admin(...words.split(" ")), words).toMatchObject({
      code: 1,
      err: expect.stringContaining(problem),
    });
  await admin("people", "add", "ada@example.org", "north", "member");
  for (const days of ["0", "0.5", "x", "731"])
    expect((await admin("tokens", "add", "ada@example.org", "work", days)).err).toContain(
      "valid for 1 to 730",
    );
  for (const words of ["people add", "tokens revoke", "constructor", "tenants add a b c"])
    expect(await admin(...words.split(" ")), words).toMatchObject({
      code: 2,
      err: expect.stringContaining("toolwright admin "),
    });
});
