/** What every store guarantees for lists of sessions, as tests: pages, heads, figures, and changes by others. */

import { expect, test } from "vitest";
import { factVersion, type Fact } from "../../protocol/facts.ts";
import type { Store } from "../store.ts";

/** Two connections to the same store. */
export type StorePair = { store: Store; other: Store };

/** `makeStore` returns two connections to the same new store: the second may be the same object. */
export function listContract(name: string, makeStore: () => Promise<[Store, Store]>): void {
  for (const [title, check] of Object.entries(promises)) {
    test(`${name}: ${title}`, async () => {
      const [store, other] = await makeStore();
      await check({ store, other });
    });
  }
}

/** Adds a fact to an existing session. */
async function grow(store: Store, id: string, at = 5000): Promise<void> {
  const seq = ((await store.get(id))?.facts ?? 0) + 1;
  const fact: Fact = { type: "warning", code: "x", text: `${seq}` };
  await store.append(id, await store.claim(id), [{ ...fact, v: factVersion, seq, at, turn: 0 }]);
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

const promises: Readonly<Record<string, (opened: StorePair) => Promise<void>>> = {
  "a session dated in the future is not the newest, until it is used again": async ({ store, other }) => {
    const future = Date.now() + 5 * 365 * 86_400_000;
    for (const [id, createdAt] of [
      ["a", 1000],
      ["wrong", future],
      ["b", 2000],
      ["used", 1500],
      ["c", 3000],
    ] as const)
      await store.create({ id, workspace: "/w", createdAt });
    await grow(store, "used", future + 1);
    const order = ["c", "b", "used", "a", "wrong"];
    expect(idsOf(await other.list())).toEqual(order);
    const paged = await other.list({ limit: 2 });
    paged.push(
      ...(await other.list({ limit: 2, before: "b" })),
      ...(await other.list({ limit: 2, before: "a" })),
    );
    expect(idsOf(paged)).toEqual(order);
    await grow(store, "wrong", 4000);
    await grow(store, "used", Date.now() + 60_000);
    expect(idsOf(await other.list({ limit: 2 }))).toEqual(["used", "wrong"]);
  },
  "whoever asks whether it can be read is told nothing if it can": async ({ store, other }) => {
    expect(await Promise.all([store.probe(), other.probe()])).toEqual([undefined, undefined]);
  },
  "a list is paged, newest first, with each session once": async ({ store, other }) => {
    const ids = Array.from({ length: 9 }, (_, at) => `s${at}`);
    // Three with the same timestamp: the later one comes first.
    for (const [at, id] of ids.entries())
      await store.create({ id, workspace: "/w", createdAt: 1000 + Math.floor(at / 3) });
    const all = await other.list();
    expect(all.map(({ id }) => id)).toEqual(ids.toReversed());
    for (const limit of [1, 2, 4, 9, 20]) {
      const seen: string[] = [];
      for (let before: string | undefined; ;) {
        const page = await other.list({ limit, before });
        expect(page.length).toBeLessThanOrEqual(limit);
        if (page.length === 0) break;
        seen.push(...page.map(({ id }) => id));
        before = page.at(-1)?.id;
      }
      expect(seen).toEqual(ids.toReversed());
    }
    expect(await other.list({ limit: 5, before: "nobody" })).toEqual([]);
    for (const limit of [0, -1, 0.5]) expect(await other.list({ limit })).toEqual([]);
    expect(await other.list({ limit: Number.POSITIVE_INFINITY })).toEqual(all);
    expect(await other.list({ limit: 2 })).toEqual(all.slice(0, 2));
  },

  "sessions whose last request has not ended are found, whatever came after its message": async ({
    store,
    other,
  }) => {
    const said: Fact = { type: "user-message", id: "m", content: [{ type: "text", text: "do" }] };
    const ended: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" };
    const noise: Fact = { type: "warning", code: "x", text: "user-message" };
    const stories: Record<string, Fact[]> = {
      empty: [],
      noise: [noise],
      over: [said, noise, ended, noise],
      open: [said, ended, said, noise],
      steered: [said, said, noise, noise],
      child: [said],
    };
    for (const [at, [id, facts]] of Object.entries(stories).entries()) {
      const parent = id === "child" ? { parent: "open" } : {};
      await store.create({ id, workspace: "/w", createdAt: 1000 + at, ...parent });
      const epoch = await store.claim(id);
      const entries = facts.map((fact, index) => ({
        ...fact,
        v: factVersion,
        seq: index + 1,
        at: 1000 + at,
        turn: 1,
      }));
      if (entries.length > 0) await store.append(id, epoch, entries);
    }
    expect(idsOf(await other.unfinished(9))).toEqual(["steered", "open"]);
    expect(idsOf(await other.unfinished(1))).toEqual(["steered"]);
  },

  "subagents' sessions are found by their parent and can be left out of a list": async ({ store, other }) => {
    await store.create({ id: "a", workspace: "/w", createdAt: 1 });
    await store.create({ id: "b", workspace: "/w", createdAt: 2, parent: "a" });
    await store.create({ id: "c", workspace: "/w", createdAt: 3 });
    await store.create({ id: "d", workspace: "/w", createdAt: 4, parent: "a" });
    await store.create({ id: "e", workspace: "/w", createdAt: 5, parent: "gone" });
    expect((await other.get("b"))?.parent).toBe("a");
    expect(await other.get("a")).not.toHaveProperty("parent");
    expect(idsOf(await other.children("a"))).toEqual(["b", "d"]);
    expect(await other.children("b")).toEqual([]);
    expect(idsOf(await other.list())).toEqual(["e", "d", "c", "b", "a"]);
    expect(idsOf(await other.list({ limit: 1, ofPeople: true }))).toEqual(["c"]);
    expect(idsOf(await other.list({ limit: 9, before: "c", ofPeople: true }))).toEqual(["a"]);
    expect(idsOf(await other.list({ limit: 9, before: "d", ofPeople: true }))).toEqual(["c", "a"]);
    await store.delete("a");
    expect(idsOf(await other.list({ limit: 9, ofPeople: true }))).toEqual(["d", "c", "b"]);
    await store.copy("b", { id: "f", workspace: "/w", createdAt: 6 }, 1).catch(() => undefined);
    await grow(store, "b");
    await store.copy("b", { id: "g", workspace: "/w", createdAt: 7 }, 1);
    expect(await other.get("g")).not.toHaveProperty("parent");
  },

  "heads gives the newest fact number of each existing session, many at once": async ({ store, other }) => {
    for (const id of ["a", "b", 'it\'s "odd" [1]']) await store.create({ id, workspace: "/w", createdAt: 1 });
    await grow(store, "a");
    await grow(store, "a");
    await grow(store, 'it\'s "odd" [1]');
    const heads = await other.heads(["a", "b", "nobody", 'it\'s "odd" [1]', "a"]);
    expect(Object.fromEntries(heads)).toEqual({ a: 2, b: 0, 'it\'s "odd" [1]': 1 });
    expect(await other.heads([])).toEqual(new Map());
    const many = Array.from({ length: 2_000 }, (_, at) => `n${at}`);
    expect(await other.heads([...many, "b"])).toEqual(new Map([["b", 0]]));
  },

  "figures are stored per session, never replaced by older ones, and deleted with the session": async ({
    store,
    other,
  }) => {
    for (const id of ["a", "b"]) await store.create({ id, workspace: "/w", createdAt: 1 });
    expect(await store.figures(["a", "b"])).toEqual(new Map());
    await store.keepFigures(
      new Map([
        ["a", { seq: 5, text: "five" }],
        ["b", { seq: 1, text: "one" }],
        ["nobody", { seq: 9, text: "nine" }],
      ]),
    );
    await other.keepFigures(new Map([["a", { seq: 4, text: "late" }]]));
    await other.keepFigures(new Map([["b", { seq: 1, text: "another" }]]));
    const kept = await other.figures(["a", "b", "nobody"]);
    expect(Object.fromEntries(kept)).toEqual({
      a: { seq: 5, text: "five" },
      b: { seq: 1, text: "another" },
    });
    await store.keepFigures(new Map());
    await store.copy("a", { id: "c", workspace: "/w", createdAt: 1 }, 1).catch(() => undefined);
    await store.delete("a");
    await store.create({ id: "a", workspace: "/w", createdAt: 1 });
    expect(await other.figures(["a", "c"])).toEqual(new Map());
  },

  "changed reports every write of another connection, and no read": async ({ store, other }) => {
    await store.create({ id: "a", workspace: "/w", createdAt: 1 });
    let before = await other.changed();
    const isNews = async (): Promise<boolean> => {
      const [last, now] = [before, await other.changed()];
      before = now;
      return last !== now;
    };
    expect(await isNews()).toBe(false);
    await grow(store, "a");
    expect([await isNews(), await isNews()]).toEqual([true, false]);
    await other.list();
    await other.read("a", 0);
    expect(await isNews()).toBe(false);
    await store.create({ id: "b", workspace: "/w", createdAt: 1 });
    expect(await isNews()).toBe(true);
    await store.copy("a", { id: "c", workspace: "/w", createdAt: 1 }, 1);
    expect(await isNews()).toBe(true);
    await store.delete("b");
    expect(await isNews()).toBe(true);
  },
};
