/** What every store guarantees for a team, as tests: whose sessions are, who sees which, and records of people. */

import { expect, test } from "vitest";
import { factVersion, type Fact } from "../../protocol/facts.ts";
import type { Store } from "../store.ts";
import { everybody, type Viewer } from "../team.ts";
import type { StorePair } from "./list-contract.ts";

/** `makeStore` returns two connections to the same new store: the second may be the same object. */
export function teamContract(name: string, makeStore: () => Promise<[Store, Store]>): void {
  for (const [title, check] of Object.entries(promises)) {
    test(`${name}: ${title}`, async () => {
      const [store, other] = await makeStore();
      await check({ store, other });
    });
  }
}

const said: Fact = { type: "user-message", content: [{ type: "text", text: "the needle" }] };

/** Sessions with an unfinished request about a needle; each is newer than those before it. */
async function fill(store: Store, ids: readonly string[]): Promise<void> {
  for (const [at, id] of ids.entries()) {
    const createdAt = 1000 + at;
    await store.create({ id, workspace: "/w", createdAt });
    const entry = { ...said, v: factVersion, seq: 1, at: createdAt, turn: 1 };
    await store.append(id, await store.claim(id), [entry]);
  }
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
const all = { limit: 9, ofPeople: true };
const ada: Viewer = { tenant: "north", person: "ada" };
const bob: Viewer = { tenant: "north", person: "bob" };
const north: Viewer = { tenant: "north" };
const south: Viewer = { tenant: "south", person: "ada" };

const promises: Readonly<Record<string, (opened: StorePair) => Promise<void>>> = {
  "a list, a search and the unfinished have only what the viewer sees": async ({ store, other }) => {
    await fill(store, ["none", "a", "b", "south", "b2"]);
    await store.team.give("a", { tenant: "north", person: "ada" });
    await store.team.give("b", { tenant: "north", person: "bob" });
    await store.team.give("b2", { tenant: "north", person: "bob" });
    await store.team.give("south", { tenant: "south", person: "ada" });
    const seen = async (seenBy: Viewer): Promise<string[]> => {
      const lists = [
        await other.list({ ...all, seenBy }),
        await other.unfinished(9, seenBy),
        await other.search("needle", 9, { seenBy }),
      ].map(idsOf);
      for (const list of lists) expect(list).toEqual(lists[0]);
      return lists[0] ?? [];
    };
    expect(await seen(ada)).toEqual(["a"]);
    expect(await seen(bob)).toEqual(["b2", "b"]);
    expect(await seen(north)).toEqual(["b2", "b", "a"]);
    expect(await seen(south)).toEqual(["south"]);
    expect(await seen({ tenant: "" })).toEqual([]);
    expect(idsOf(await other.list(all))).toEqual(["b2", "south", "b", "a", "none"]);
    expect(idsOf(await other.search("needle", 1, { seenBy: ada }))).toEqual(["a"]);
    expect(idsOf(await other.list({ limit: 1, before: "b2", seenBy: north }))).toEqual(["b"]);

    await store.team.share("b", "ada", "read");
    expect(await seen(ada)).toEqual(["b", "a"]);
    await store.team.share("b2", everybody, "answer");
    expect(await seen(ada)).toEqual(["b2", "b", "a"]);
    expect(await seen(south)).toEqual(["south"]);
    await store.team.share("b", "ada", undefined);
    expect(await seen(ada)).toEqual(["b2", "a"]);
  },

  "a page that begins after a session of somebody else is empty, as after one that is unknown": async ({
    store,
    other,
  }) => {
    await fill(store, ["a", "south"]);
    await store.team.give("a", { tenant: "north", person: "ada" });
    await store.team.give("south", { tenant: "south", person: "ada" });
    for (const before of ["south", "nobody"])
      expect(await other.list({ ...all, before, seenBy: ada })).toEqual([]);
    expect(idsOf(await other.list({ ...all, before: "south" }))).toEqual(["a"]);
  },

  "what calls start belongs and is shared with their session; a copy is nobody's": async ({
    store,
    other,
  }) => {
    await fill(store, ["a"]);
    await store.team.give("a", { tenant: "north", person: "ada" });
    await store.create({ id: "child", workspace: "/w", createdAt: 1, parent: "a" });
    await store.create({ id: "grandchild", workspace: "/w", createdAt: 2, parent: "child" });
    await store.team.share("a", "bob", "read");
    const shared = new Map([["bob", "read"]]);
    for (const id of ["a", "child", "grandchild"])
      expect(await other.team.belonging(id)).toEqual({ tenant: "north", person: "ada", shared });
    expect(idsOf(await other.list({ limit: 9, seenBy: bob }))).toEqual(["a", "grandchild", "child"]);
    await store.team.share("a", everybody, "answer");
    const all = await other.team.belongings(["a", "nobody", "child"]);
    const both = new Map([...shared, [everybody, "answer"]]);
    expect([...all.keys()].toSorted()).toEqual(["a", "child"]);
    for (const one of all.values()) expect(one).toEqual({ tenant: "north", person: "ada", shared: both });
    expect(await other.team.belongings([])).toEqual(new Map());
    await store.team.share("a", everybody, undefined);
    await store.team.share("grandchild", "bob", "answer");
    expect((await other.team.belonging("a"))?.shared.get("bob")).toBe("answer");

    await store.copy("a", { id: "copy", workspace: "/w", createdAt: 3 }, 1);
    expect(await other.team.belonging("copy")).toBeUndefined();
    await store.delete("a");
    expect(await other.team.belonging("a")).toBeUndefined();
    expect(await other.team.belonging("child")).toEqual({
      tenant: "north",
      person: "ada",
      shared: new Map(),
    });
    await fill(store, ["a"]);
    expect(await other.team.belonging("a")).toBeUndefined();
    await store.team.share("child", "bob", "read");
    expect((await other.team.belonging("child"))?.shared).toEqual(shared);
    expect((await other.team.belonging("grandchild"))?.shared).toEqual(new Map());
    await store.team.share("nobody", "bob", "read");
    await store.team.give("nobody", { tenant: "north", person: "ada" });
    expect(await other.team.belonging("nobody")).toBeUndefined();
  },

  "a session can be given to another person": async ({ store, other }) => {
    await fill(store, ["a"]);
    await store.team.give("a", { tenant: "north", person: "ada" });
    await store.team.give("a", { tenant: "south", person: "eve" });
    expect(await other.team.belonging("a")).toEqual({ tenant: "south", person: "eve", shared: new Map() });
    expect(await other.list({ ...all, seenBy: north })).toEqual([]);
  },

  "a record is put, replaced and removed only by whoever knows what was there": async ({ store, other }) => {
    expect(await store.team.record("person", "ada")).toBeUndefined();
    const put = (is: string | undefined, was?: string) => store.team.replace("person", "ada", { was, is });
    expect([await put("one"), await put("two"), await put("two", "none")]).toEqual([true, false, false]);
    expect(await other.team.record("person", "ada")).toBe("one");
    expect(await put("two", "one")).toBe(true);
    await store.team.replace("person", "Ada", { was: undefined, is: "other" });
    await store.team.replace("token", "ada", { was: undefined, is: "token" });
    const records = [
      { id: "Ada", text: "other" },
      { id: "ada", text: "two" },
    ];
    expect(await other.team.records("person")).toEqual(records);
    expect(await other.team.records("person", "a")).toEqual(records.slice(1));
    expect(await other.team.records("person", "ada")).toEqual(records.slice(1));
    expect(await other.team.records("person", "b")).toEqual([]);
    expect([await put(undefined, "one"), await put(undefined, "two")]).toEqual([false, true]);
    expect(await other.team.record("person", "ada")).toBeUndefined();
    const codes = [store, other, store].map((one) =>
      one.team.replace("token", "ada", { was: "token", is: undefined }),
    );
    expect((await Promise.all(codes)).filter(Boolean)).toHaveLength(1);
  },

  "what is put beside a record is there if, and only if, that was replaced": async ({ store, other }) => {
    const put = (was: string | undefined, is: string | undefined, id: string) =>
      store.team.replace("person", "ada", { was, is, beside: { kind: "audit", id, text: `${id} text` } });
    expect([
      await put(undefined, "one", "1"),
      await put(undefined, "two", "2"),
      await put("one", undefined, "3"),
    ]).toEqual([true, false, true]);
    expect(await other.team.records("audit")).toEqual([
      { id: "1", text: "1 text" },
      { id: "3", text: "3 text" },
    ]);
  },

  "a record whose neighbour is there already stays as it was": async ({ store, other }) => {
    const put = (was: string | undefined, is: string) =>
      store.team.replace("person", "ada", { was, is, beside: { kind: "audit", id: "1", text: is } });
    expect(await put(undefined, "one")).toBe(true);
    await expect(put("one", "two")).rejects.toThrow("There is already an audit record 1.");
    expect(await other.team.record("person", "ada")).toBe("one");
  },
};
