import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry, Fact } from "../protocol/facts.ts";
import { step } from "../protocol/fold.ts";
import { awaitsPerson, emptyState } from "../protocol/session-state.ts";
import { findNamed } from "../runtime/runtime.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import { type PageSize, type Store, StoreError } from "../session/store.ts";
import { wholeLog } from "../session/testing/log-arbitrary.ts";
import { asked, call, request, start } from "../session/testing/request-facts.ts";
import { WrappedStore } from "../session/testing/wrapped-store.ts";
import { scale } from "../testing/scale.ts";
import { account, emptyAccount } from "./session-account.ts";
import {
  deleteSessions,
  forkSession,
  lastModels,
  listRows,
  renameSession,
  sessionRow,
  standingOf,
} from "./sessions.ts";

const runs = 30 * scale;

async function storeWith(entries: readonly Entry[], id = "s"): Promise<Store> {
  const store = openMemoryStore();
  await store.create({ id, workspace: "/w", createdAt: 1 });
  await store.append(id, await store.claim(id), entries);
  return store;
}

const stamped = (facts: readonly Fact[]): Entry[] =>
  facts.map((fact, at) => ({ ...fact, v: 1, seq: at + 1, at: at + 1, turn: at === 0 ? 0 : 1 }));

test("a session's account agrees with its folded state after every fact", () => {
  fc.assert(
    fc.property(wholeLog, (entries) => {
      const state = emptyState();
      const sum = emptyAccount();
      for (const entry of entries) {
        step(state, entry);
        account(sum, entry);
        expect({
          running: sum.isRunning,
          turns: sum.turns,
          asks: sum.isRunning && sum.asking.size > 0,
        }).toEqual({
          running: state.status === "running",
          turns: state.turns.length,
          asks: awaitsPerson(state),
        });
      }
      expect(sum.usage).toEqual(state.usage);
    }),
    { numRuns: runs },
  );
});

test("a fork before any request has exactly the facts before it and leaves the original unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(wholeLog, fc.nat(), async (entries, pick) => {
      const store = await storeWith(entries);
      const turns = entries.at(-1)?.turn ?? 1;
      const before = (pick % turns) + 1;
      const forked = await forkSession(store, "s", { before });
      if (!forked.ok) throw new Error(forked.problem);
      const kept = entries.filter(({ turn }) => turn < before);
      const [first, ...rest] = await store.read(forked.value.id, 0);
      expect(rest).toEqual(kept.slice(1));
      expect(first).toMatchObject({
        session: forked.value.id,
        workspace: "/w",
        from: { session: "s", seq: kept.length },
      });
      expect(await store.read("s", 0)).toEqual(entries);
    }),
    { numRuns: runs },
  );
});

test("a fork without a given point leaves out the unfinished request, so that it runs in one session only", async () => {
  const done: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" };
  const entries = stamped([start, request, done, request, call]).map((entry) =>
    entry.seq > 3 ? { ...entry, turn: 2 } : entry,
  );
  const forked = await forkSession(await storeWith(entries), "s");
  expect(forked).toMatchObject({ ok: true, value: { facts: 3, before: 2 } });
});

test("a message that waited where a fork ends and was sent since waits no longer in the copy; one that still waits does", async () => {
  const done: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" };
  const content = [{ type: "text" as const, text: "and the tests" }];
  const queued = (id: string): Fact => ({ type: "message-queued", id, content, when: "next" });
  const entries = stamped([
    start,
    request,
    ...["sent", "told", "taken back", "waits"].map(queued),
    done,
    { type: "user-message", content, queued: "sent" },
    { type: "steer", content, queued: "told" },
    { type: "message-withdrawn", id: "taken back" },
    done,
  ]).map((entry) => (entry.seq > 7 ? { ...entry, turn: 2 } : entry));
  for (const at of [{ before: 2 }, { fact: 7 }]) {
    const store = await storeWith(entries);
    const forked = await forkSession(store, "s", at);
    if (!forked.ok) throw new Error(forked.problem);
    const copied = await store.read(forked.value.id, 0);
    expect(copied.reduce(step, emptyState()).queue.map(({ id }) => id)).toEqual(["waits"]);
    expect(await store.holder(forked.value.id)).toBeUndefined();
  }
});

test("a session's standing is idle, waiting, left-open or running", async () => {
  const standing = async (...facts: Fact[]) => {
    const store = await storeWith(stamped([start, ...facts]));
    const [summary] = await store.list();
    return summary && (await sessionRow(store, summary)).standing;
  };
  expect(await standing()).toBe("idle");
  expect(await standing(request)).toBe("left-open");
  expect(await standing(request, call, asked)).toBe("waiting");
  const answered: Fact = { type: "approval-answered", callId: "c", answer: "deny", scope: "once", by: "me" };
  expect(await standing(request, call, asked, answered)).toBe("left-open");
  const limit: Fact = { type: "limit-asked", limit: "rounds", used: 1, most: 1, offer: 2 };
  expect(await standing(request, limit)).toBe("waiting");
  const sum = stamped([start, request]).reduce(account, emptyAccount());
  const process = { pid: 1, started: "", host: "h", boot: "", space: "" };
  expect(standingOf(sum, { program: "x", process, since: 1, renewedAt: 1 })).toBe("running");
});

test("an answer of unknown price is counted as such; an answer that failed before it began costs nothing", async () => {
  const usage = { inputTokens: 3, outputTokens: 1 };
  const failure = { kind: "network", message: "gone", midStream: false };
  const store = await storeWith(
    stamped([
      start,
      request,
      { type: "answer-end", reason: "failed", model: "m", failure },
      { type: "answer-end", reason: "tool-calls", model: "m", usage, cost: 0.1 },
      { type: "answer-end", reason: "tool-calls", model: "m", usage, cost: 0.2 },
      { type: "answer-end", reason: "stop", model: "m", usage },
    ]),
  );
  const [summary] = await store.list();
  const row = summary && (await sessionRow(store, summary));
  expect(row).toMatchObject({ answers: 4, usage: { inputTokens: 9 }, cost: { dollars: 0.3, unknown: 1 } });
});

test("a session is found by the end of its id first, then by words of its title", async () => {
  const store = await storeWith(stamped([start, request]));
  await store.create({ id: "parser", workspace: "/w", createdAt: 2 });
  expect(await findNamed(store, "parser")).toEqual({ ok: true, value: "parser" });
  expect(await findNamed(store, "PARSER mend")).toEqual({ ok: true, value: "s" });
  expect(await findNamed(store, "lexer")).toMatchObject({
    ok: false,
    problem: expect.stringContaining("no session"),
  });
  for (const wanted of ["", " "]) expect((await findNamed(store, wanted)).ok).toBe(false);
});

test("a session's name is reduced to one line of at most 200 characters, without control characters", async () => {
  const store = await storeWith(stamped([start, request]));
  const rename = (title: string) => renameSession(store, { session: "s", title, keepOut: undefined });
  expect(await rename("  A\n\u0007 name\t")).toEqual({ ok: true, value: "A name" });
  const long = await rename("x".repeat(10_000));
  expect(long).toMatchObject({ ok: true, value: "x".repeat(200) });
  expect((await store.get("s"))?.title.length).toBeLessThanOrEqual(200);
  expect(await store.holder("s")).toBeUndefined();
});

test("deleteSessions deletes the sessions it can and gives the reason for each other one", async () => {
  const store = await storeWith(stamped([start, request]));
  await store.create({ id: "held", workspace: "/w", createdAt: 2 });
  const { ownOwner } = await import("../session/owner.ts");
  await store.claim("held", { owner: ownOwner() });
  const outcome = await deleteSessions(store, ["held", "s"]);
  expect(outcome.deleted).toEqual(["s"]);
  expect(outcome.refused).toMatchObject([{ id: "held", problem: expect.stringContaining("held") }]);
  expect((await store.list()).map(({ id }) => id)).toEqual(["held"]);
});

test("deleting a session deletes its subagents' sessions; an open session stays, and so do its subagents' ones", async () => {
  const store = await storeWith(stamped([start, request]));
  const { ownOwner } = await import("../session/owner.ts");
  for (const [id, parent] of [
    ["one", "s"],
    ["two", "s"],
    ["held", undefined],
    ["three", "held"],
  ] as const)
    await store.create({ id, workspace: "/w", createdAt: 2, ...(parent ? { parent } : {}) });
  await store.claim("held", { owner: ownOwner() });
  await store.claim("two", { owner: ownOwner() });
  const { deleted, refused } = await deleteSessions(store, ["held", "s", "one"]);
  expect(deleted).toEqual(["s", "one"]);
  expect(refused.map(({ id }) => id)).toEqual(["held", "two"]);
  const left = await store.list();
  expect(left.map(({ id }) => id).toSorted()).toEqual(["held", "three", "two"]);
  expect(await store.get("two")).not.toHaveProperty("parent");
});

/** Counts the facts read from it. */
class ReadStore extends WrappedStore {
  facts = 0;
  refuses = false;
  override async read(session: string, after: number, most?: PageSize): Promise<Entry[]> {
    const page = await super.read(session, after, most);
    this.facts += page.length;
    return page;
  }
  override keepFigures(...given: Parameters<Store["keepFigures"]>): Promise<void> {
    return this.refuses
      ? Promise.reject(new StoreError("It may only be read."))
      : super.keepFigures(...given);
  }
}

const rowIn = async (store: Store) => {
  const [row] = await listRows(store, { limit: 1 });
  if (!row) throw new Error("no row");
  return row;
};

test("a list row agrees with all facts, whatever was read or cached before", async () => {
  await fc.assert(
    fc.asyncProperty(
      wholeLog,
      fc.array(fc.nat(), { maxLength: 5 }),
      fc.nat(),
      async (entries, looks, spoiled) => {
        const store = new ReadStore();
        await store.create({ id: "s", workspace: "/w", createdAt: 1 });
        const epoch = await store.claim("s");
        const places = new Set(looks.map((look) => look % (entries.length + 1)));
        for (const [at, entry] of entries.entries()) {
          await store.append("s", epoch, [entry]);
          if (places.has(at)) await rowIn(store);
          if (at === spoiled % entries.length)
            await store.keepFigures(
              new Map([["s", { seq: at + 1, text: ["", "{}", "[1", '{"format":0}'][at % 4] ?? "" }]]),
            );
        }
        const sum = entries.reduce(account, emptyAccount());
        const { turns, answers, usage, cost, standing } = await rowIn(store);
        expect({ turns, answers, usage, cost }).toEqual({
          turns: sum.turns,
          answers: sum.answers,
          usage: sum.usage,
          cost: sum.cost,
        });
        expect(standing).toBe(standingOf(sum, undefined));
        store.facts = 0;
        await rowIn(store);
        expect(store.facts).toBe(0);
      },
    ),
    { numRuns: runs },
  );
});

test("a list reads only new facts, and only of the sessions shown", async () => {
  const store = new ReadStore();
  for (const id of ["a", "b", "c"]) await store.create({ id, workspace: "/w", createdAt: 1 });
  const epochs = new Map<string, number>();
  const grow = async (id: string, ...facts: Fact[]) => {
    const epoch = epochs.get(id) ?? (await store.claim(id));
    epochs.set(id, epoch);
    const last = (await store.get(id))?.facts ?? 0;
    const stamp = (at: number) => ({ v: 1, seq: last + at + 1, at: 1, turn: 1 });
    await store.append(
      id,
      epoch,
      facts.map((fact, at) => ({ ...fact, ...stamp(at) })),
    );
  };
  const end: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" };
  for (const id of ["a", "b", "c"]) await grow(id, start, request, end);
  const read = async (page: Parameters<typeof listRows>[1]) => {
    store.facts = 0;
    const rows = await listRows(store, page);
    return [rows.map(({ id, turns, standing }) => `${id} ${turns} ${standing}`), store.facts] as const;
  };
  expect(await read({ limit: 2 })).toEqual([["c 1 idle", "b 1 idle"], 6]);
  expect(await read({ limit: 2 })).toEqual([["c 1 idle", "b 1 idle"], 0]);
  expect(await read({ limit: 2, before: "b" })).toEqual([["a 1 idle"], 3]);
  await grow("b", request, call, asked);
  expect(await read({ limit: 3 })).toEqual([["c 1 idle", "b 2 waiting", "a 1 idle"], 3]);
  await grow("b", end);
  expect(await read({ limit: 3 })).toEqual([["c 1 idle", "b 2 idle", "a 1 idle"], 4]);
  expect((await read({ limit: 3 }))[1]).toBe(0);
});

test("a list is the same where no figures can be cached, and reads the facts each time", async () => {
  const store = new ReadStore();
  store.refuses = true;
  await store.create({ id: "s", workspace: "/w", createdAt: 1 });
  await store.append("s", await store.claim("s"), stamped([start, request]));
  for (const _ of [1, 2]) expect(await rowIn(store)).toMatchObject({ turns: 1, standing: "left-open" });
  expect(store.facts).toBe(4);
});

test("a session whose last request failed says so in its row, until the next request", async () => {
  const failed: Fact = { type: "turn-end", stopped: "failed", changed: [], verified: [], text: "" };
  const facts = [start, request, failed];
  const failedIn = async (facts: readonly Fact[]) => {
    const [row] = await listRows(await storeWith(stamped(facts)), { limit: 1 });
    return row?.failed;
  };
  expect(await failedIn(facts)).toBe(true);
  expect(await failedIn([...facts, request])).toBeUndefined();
});

test("the models used last: in this workspace, then anywhere, of sessions in which one was used or chosen", async () => {
  const store = openMemoryStore();
  const used = (model: string): Fact => ({ type: "turn-start", model, mode: "ask" });
  const chosen: Fact = { type: "model-set", model: "c/chosen", by: "user" };
  const substitute: Fact = { type: "model-set", model: "d/next", by: "toolwright", because: "it failed" };
  const sessions: [string, string, Fact[]][] = [
    ["1-here", "/w", [start, request, used("a/first"), chosen, substitute]],
    ["2-elsewhere", "/other", [start, request, used("b/second")]],
    ["3-opened", "/w", [start]],
  ];
  for (const [at, [id, workspace, facts]] of sessions.entries()) {
    await store.create({ id, workspace, createdAt: at });
    const entries = stamped(facts).map((entry) => ({ ...entry, at: entry.at + at * 100 }));
    await store.append(id, await store.claim(id), entries);
  }
  expect(await lastModels(store, "/w")).toEqual(["c/chosen", "b/second"]);
  expect(await lastModels(store, "/nowhere")).toEqual(["b/second"]);
});
