/** Sessions that should go on and do not are found by who has them, and their requests end without a gap in the log. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { identityOf, ownIdentity } from "../base/process-identity.ts";
import type { Entry, Fact } from "../protocol/facts.ts";
import { factVersion } from "../protocol/facts.ts";
import { step } from "../protocol/fold.ts";
import { awaitsPerson, emptyState } from "../protocol/session-state.ts";
import type { SessionOwner } from "../session/owner.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import type { Store } from "../session/store.ts";
import { wholeLog } from "../session/testing/log-arbitrary.ts";
import { asked, call, request, start } from "../session/testing/request-facts.ts";
import { type EngineRuns, endStuck, type RunStanding, stuckSessions } from "./stuck-sessions.ts";

const stateOf = (entries: readonly Entry[]) => entries.reduce(step, emptyState());
const stamped = (facts: readonly Fact[]): Entry[] =>
  facts.map((fact, at) => ({ ...fact, v: factVersion, seq: at + 1, at: at + 1, turn: at === 0 ? 0 : 1 }));

async function put(store: Store, id: string, entries: readonly Entry[], parent?: string) {
  await store.create({ id, workspace: "/w", createdAt: 1, ...(parent === undefined ? {} : { parent }) });
  await store.append(id, await store.claim(id), entries);
}

const ids = async (store: Store, runs?: EngineRuns) =>
  (await stuckSessions({ store, runs })).map(({ id }) => id);

/** Our parent process lives; another one with its number is dead. */
const living: SessionOwner = { program: "a program", process: identityOf(process.ppid) };
const dead: SessionOwner = { program: "a program", process: { ...living.process, started: "1" } };

/** Runs as an engine would tell of them. */
const runsOf = (...standings: RunStanding[]): EngineRuns => ({
  standings: async () => standings,
  giveUp: async () => ({ ok: true, value: 2 }),
  close: async () => undefined,
});
const run: RunStanding = { session: "s", machine: "box", since: 5, state: "rests", isAsked: false };

test("wherever a program died: what is open and waits for nobody is stuck, and ends without a gap, a silence or a loss", async () => {
  await fc.assert(
    fc.asyncProperty(wholeLog, fc.nat(), async (log, cut) => {
      const entries = log.slice(0, 1 + (cut % log.length));
      const store = openMemoryStore();
      await put(store, "s", entries);
      const state = stateOf(entries);
      const isStuck = state.status === "running" && !awaitsPerson(state);
      expect(await ids(store)).toEqual(isStuck ? ["s"] : []);
      const ended = await endStuck({ store, runs: undefined }, "s");
      const after = await store.read("s", 0);
      expect(after.slice(0, entries.length)).toEqual(entries);
      expect(ended.ok).toBe(isStuck);
      expect(after.length > entries.length).toBe(isStuck);
      if (!isStuck) return;
      const { status, open } = stateOf(after);
      expect({ status, open: [...open] }).toEqual({ status: "idle", open: [] });
      const results = after.flatMap((entry) => (entry.type === "result" ? [entry.callId] : []));
      expect(new Set(results).size).toBe(results.length);
      expect(after.at(-1)).toMatchObject({
        type: "turn-end",
        stopped: "interrupted",
        by: "toolwright admin",
        text: expect.stringMatching(/\S/u),
      });
      expect(await ids(store)).toEqual([]);
      expect(await store.holder("s")).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});

test("what was streamed when the program died is kept, and the block after it has a number of its own", async () => {
  const store = openMemoryStore();
  await put(store, "s", stamped([start, request]));
  const epoch = await store.claim("s");
  await store.keepOpenBlock("s", epoch, { block: 1, kind: "reasoning", text: "Hm" });
  await endStuck({ store, runs: undefined }, "s");
  expect((await store.read("s", 2)).map((fact) => ("block" in fact ? fact.block : fact.type))).toEqual([
    1,
    "answer-end",
    2,
    "turn-end",
  ]);
});

test("a living program's session is not stuck, and is not ended; a dead one's is, with the name of what had it", async () => {
  const store = openMemoryStore();
  await put(store, "s", stamped([start, request]));
  await store.claim("s", { owner: living });
  const context = { store, runs: undefined };
  expect(await stuckSessions(context)).toEqual([]);
  expect(await endStuck(context, "s")).toEqual({
    ok: false,
    problem: `a program (process ${process.ppid} on ${ownIdentity().host}) lives and has session s: interrupt it from a client instead.`,
  });
  await store.claim("s", { owner: dead, takeOver: true });
  await store.team.give("s", { tenant: "north", person: "ada@example.org" });
  expect(await stuckSessions(context)).toEqual([
    {
      id: "s",
      title: "Mend the parser",
      workspace: "/w",
      tenant: "north",
      person: "ada@example.org",
      machine: ownIdentity().host,
      since: 2,
      why: `a program (process ${process.ppid} on ${ownIdentity().host}) had it, and is dead.`,
    },
  ]);
  expect(await endStuck(context, "s")).toEqual({ ok: true, value: 0 });
});

test("what is over, waits for a person, is a subagent's or is not there is not ended, each with its reason", async () => {
  const store = openMemoryStore();
  const end: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "." };
  await put(store, "over", stamped([start, request, end]));
  await put(store, "waits", stamped([start, request, call, asked]));
  await put(store, "s", stamped([start, request]));
  await put(store, "child", stamped([start, request]), "s");
  const context = { store, runs: undefined };
  const problem = async (id: string) => {
    const ended = await endStuck(context, id);
    return ended.ok ? "" : ended.problem;
  };
  expect(await problem("over")).toContain("The last request of session over is over");
  expect(await problem("waits")).toContain("waits for a person");
  expect(await problem("child")).toContain("goes on within session s");
  expect(await problem("nobody")).toBe("There is no session nobody.");
  expect(await problem("s")).toBe("");
  expect(stateOf(await store.read("child", 0)).status).toBe("idle");
});

test("what workers know decides: whether one lives where the session waits, and how many died of it", async () => {
  const store = openMemoryStore();
  await put(store, "s", stamped([start, request]));
  const whyWith = async (standing: Partial<RunStanding>) => {
    const found = await stuckSessions({ store, runs: runsOf({ ...run, ...standing }) });
    return found.map(({ id, machine, since, why }) => [id, machine, since, why]);
  };
  expect(await whyWith({ state: "served" })).toEqual([]);
  const waits = "It waits for a worker on box, and none lives there.";
  expect(await whyWith({ state: "unserved" })).toEqual([["s", "box", 5, waits]]);
  const left = "5 workers in a row died of it, and it was left as it is.";
  expect(await whyWith({ deaths: 5 })).toEqual([["s", "box", 5, left]]);
  expect(await whyWith({})).toEqual([["s", "box", 5, "No program has it."]]);
  const unmade = runsOf({ ...run, session: "new", state: "unserved", isAsked: true });
  expect(await ids(store, unmade)).toEqual(["s", "new"]);
  expect(await endStuck({ store, runs: unmade }, "new")).toEqual({ ok: true, value: 2 });
  expect(await ids(store, runsOf({ ...run, session: "new", state: "unserved" }))).toEqual(["s"]);
  const served = { store, runs: runsOf({ ...run, state: "served" as const }) };
  expect(await endStuck(served, "s")).toMatchObject({
    problem: expect.stringContaining("Workers on box go on"),
  });
});
