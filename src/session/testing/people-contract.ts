/** What every store guarantees for features that people use, as tests: names, search, copies, deletion. */

import { expect, test } from "vitest";
import { identityOf } from "../../base/process-identity.ts";
import { factVersion, type ChangedFile, type Entry, type Fact } from "../../protocol/facts.ts";
import { checkpointId } from "../../protocol/fold-changes.ts";
import { step } from "../../protocol/fold.ts";
import { emptyState } from "../../protocol/session-state.ts";
import { SessionHeld, StoreError, type Store } from "../store.ts";
import type { StorePair } from "./list-contract.ts";

/** `makeStore` returns two connections to the same new store: the second may be the same object. */
export function peopleContract(name: string, makeStore: () => Promise<[Store, Store]>): void {
  for (const [title, check] of Object.entries(promises)) {
    test(`${name}: ${title}`, async () => {
      const [store, other] = await makeStore();
      await check({ store, other });
    });
  }
}

const user = (text: string): Fact => ({ type: "user-message", content: [{ type: "text", text }] });
const textFact = (text: string): Fact => ({ type: "text", block: 1, text, by: "model" });
const renamingFact = (title: string): Fact => ({ type: "session-renamed", title });
const end: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" };

/** Adds facts to a session, creating it if necessary; later calls have later timestamps. */
async function add(store: Store, id: string, ...facts: Fact[]): Promise<Entry[]> {
  const known = await store.get(id);
  if (!known) await store.create({ id, workspace: "/w", createdAt: 1000 });
  const [last, started] = [known?.facts ?? 0, (await store.list()).length];
  const all: Fact[] = known ? facts : [start(id), ...facts];
  const entries = all.map((fact, at): Entry => {
    const seq = last + at + 1;
    return { ...fact, v: factVersion, seq, at: 1000 * started + seq, turn: 1 };
  });
  await store.append(id, await store.claim(id), entries);
  return entries;
}

const start = (session: string): Fact => ({ type: "session-start", session, workspace: "/w", version: "1" });

const searchIds = async (store: Store, words: string, limit = 10): Promise<string[]> =>
  (await store.search(words, limit)).map(({ id }) => id);

const ids = async (store: Store): Promise<string[]> => (await store.list()).map(({ id }) => id);

const result = (callId: string, blob: string): Fact => ({
  type: "result",
  callId,
  outcome: "ok",
  content: [],
  full: { blob, bytes: 3 },
});

const answer: Fact = { type: "answer-end", reason: "tool-calls", model: "m" };
const call = (id: string): Fact => ({
  type: "call",
  call: { id, name: "n", input: {}, source: "native" },
});
const startFact = (callId: string, does: "read" | "change"): Fact => ({
  type: "call-start",
  callId,
  title: "t",
  does,
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const promises: Readonly<Record<string, (opened: StorePair) => Promise<void>>> = {
  "the title is the last name given by a person; a blank name is ignored": async ({ store }) => {
    await add(store, "a", user("first words"), renamingFact("Mine"));
    expect((await store.get("a"))?.title).toBe("Mine");
    await add(store, "a", user("second"), renamingFact("Other"), renamingFact(" Last\n one "), textFact("x"));
    expect((await store.get("a"))?.title).toBe("Last one");
    await add(store, "a", renamingFact("  "));
    expect((await store.get("a"))?.title).toBe("Last one");
  },

  "the title is the written message without its attachments; a file alone gives its name": async ({
    store,
  }) => {
    const file = { type: "text", text: "[a.txt]\none two three", file: "a.txt" } as const;
    const written = { type: "text", text: "How many words?" } as const;
    await add(store, "a", { type: "user-message", content: [written, file] });
    expect((await store.get("a"))?.title).toBe("How many words?");
    await add(store, "b", { type: "user-message", content: [file] });
    expect((await store.get("b"))?.title).toBe("a.txt");
  },

  "the title is what a person typed, not its expansion; a search finds both": async ({ store, other }) => {
    const called = { type: "text", text: "Look for every mistake.", typed: "/review 12" } as const;
    await add(store, "a", { type: "user-message", content: [called] });
    expect((await store.get("a"))?.title).toBe("/review 12");
    expect([await searchIds(other, "review"), await searchIds(other, "mistake")]).toEqual([["a"], ["a"]]);
  },

  "a search finds sessions with all words in messages, answers or the name, newest first": async ({
    store,
    other,
  }) => {
    await add(
      store,
      "old",
      user("Rename the Configuration reader"),
      textFact("I renamed it in four packages."),
    );
    await add(store, "new", user("Why does the reader hang?"), textFact("Its configuration is wrong."));
    await add(store, "named", user("x"), renamingFact("Reader of the configuration"));
    await add(store, "none", user("Something else"), result("c", "0".repeat(64)));
    expect(await searchIds(other, "reader configuration")).toEqual(["named", "new", "old"]);
    expect(await searchIds(other, "PACKAGES, reader!")).toEqual(["old"]);
    expect(await searchIds(other, "config")).toEqual(["named", "new", "old"]);
    expect(await searchIds(other, "figuration")).toEqual([]);
    expect(await searchIds(other, "reader absent")).toEqual([]);
    expect(await searchIds(other, "configuration", 2)).toEqual(["named", "new"]);
    for (const nothing of ["", " \n", "?!", "\ud800", '"*()'])
      expect(await searchIds(other, nothing)).toEqual([]);
    expect(await searchIds(other, "reader", 0)).toEqual([]);
    expect(await searchIds(other, "reader", Number.POSITIVE_INFINITY)).toHaveLength(3);
  },

  "a search finds text added since the last one, and no replaced name": async ({ store, other }) => {
    await add(store, "a", user("one"), renamingFact("apple"));
    expect(await searchIds(other, "one apple")).toEqual(["a"]);
    await add(store, "a", textFact("two"), renamingFact("pear"));
    expect(await searchIds(other, "one two pear")).toEqual(["a"]);
    expect(await searchIds(other, "apple")).toEqual([]);
  },

  "a search ignores case and accents, works in any script, and has no operators": async ({
    store,
    other,
  }) => {
    await add(store, "a", user("Żółć über alles: snake_case NEAR(x) 2026-11"), textFact("設定を読む関数"));
    await add(store, "b", user("long ".repeat(10_000) + "needle \u0000 \ud83d pin"));
    for (const words of ["zołc", "UBER", "ü", "case snake", "near x", "設定", "関", "2026", "alles OR"])
      expect([words, await searchIds(other, words)]).toEqual([words, words === "alles OR" ? [] : ["a"]]);
    expect(await searchIds(other, "needle pin")).toEqual(["b"]);
  },

  "an excerpt is one line around the words": async ({ store }) => {
    const words = `${"before ".repeat(100)}\nthe needle\nis here ${"after ".repeat(100)}`;
    await add(store, "a", user("x"), textFact(words), textFact("no"));
    const [hit] = await store.search("needle", 1);
    expect(hit?.excerpt).toMatch(/^…(before )+the needle is here (after ?)+…$/);
    expect(hit?.excerpt.length).toBeLessThan(200);
    expect(hit).toMatchObject({ id: "a", title: "x", facts: 4 });
    await add(store, "b", user("first"), renamingFact("unique name"));
    expect((await store.search("unique", 1))[0]?.excerpt).toBe("unique name");
  },

  "a deleted session is removed completely, except for contents that other sessions need": async ({
    store,
    other,
  }) => {
    const [own, shared] = [await store.putBlob(bytes("own")), await store.putBlob(bytes("shared"))];
    await other.putBlob(bytes("shared"));
    const long = "long text ".repeat(5000);
    await add(store, "a", user(long), result("c1", own), result("c2", shared));
    await add(other, "b", user(long), result("c1", shared));
    const image = await store.keepImage("a", "o", bytes("image"));
    const both = await store.keepImage("a", "o", bytes("both"));
    await store.keepImage("b", "o", bytes("both"));
    await other.delete("a");
    expect(await ids(store)).toEqual(["b"]);
    expect(await store.read("a", 0)).toEqual([]);
    expect(await searchIds(store, "long")).toEqual(["b"]);
    expect(await store.getBlob(own)).toBeUndefined();
    expect(await store.getBlob(shared)).toEqual(bytes("shared"));
    expect(await store.image("a", image)).toBeUndefined();
    expect(await store.image("b", both)).toEqual(bytes("both"));
    expect((await store.read("b", 0))[1]).toMatchObject(user(long));
    await store.delete("b");
    expect(await store.getBlob(shared)).toBeUndefined();
    expect(await ids(store)).toEqual([]);
    await expect(store.delete("b")).rejects.toThrow(StoreError);
    await add(store, "a", user("a new one"));
    expect(await searchIds(store, "long")).toEqual([]);
  },

  "a blob stored for a coming fact survives the deletion of another session that uses it": async ({
    store,
    other,
  }) => {
    const hash = await store.putBlob(bytes("output"));
    await add(store, "a", result("c", hash));
    await other.putBlob(bytes("output")); // its fact is still to come
    await store.delete("a");
    expect(await store.getBlob(hash)).toEqual(bytes("output"));
    await add(other, "b", result("c", hash));
    await other.delete("b");
    expect(await store.getBlob(hash)).toBeUndefined();
  },

  "a session held by a living process is not deleted": async ({ store, other }) => {
    await add(store, "a", user("x"));
    const owner = { program: "p", process: identityOf(process.ppid) };
    const epoch = await store.claim("a", { owner });
    await expect(other.delete("a")).rejects.toThrow(SessionHeld);
    expect(await store.read("a", 0)).toHaveLength(2);
    await store.release("a", epoch);
    await other.delete("a");
    await expect(store.append("a", epoch, [])).rejects.toThrow(StoreError);
  },

  "a copy has the first facts, its own id and what undo needs; both sessions are then independent": async ({
    store,
    other,
  }) => {
    const hash = await store.putBlob(bytes("output"));
    const file: ChangedFile = { path: "f", before: "1", after: "2", added: 1, removed: 1 };
    const change: Fact = { type: "change-applied", callId: "c", changes: [file] };
    const facts = [user("do it"), change, result("c", hash), end, user("more"), textFact("later")];
    const entries = await add(store, "a", ...facts);
    const owner = checkpointId(entries.reduce(step, emptyState()), 1);
    const image = await store.keepImage("a", owner, bytes("before"));
    const to = { id: "b", workspace: "/w2", createdAt: 9_000_000 };
    await other.copy("a", to, 5);

    const from = { session: "a", seq: 5 };
    const first = { ...entries[0], session: "b", workspace: "/w2", from };
    expect(await store.read("b", 0)).toEqual([first, ...entries.slice(1, 5)]);
    expect(await store.get("b")).toEqual({ ...to, updatedAt: 9_000_000, facts: 5, title: "do it" });
    expect((await ids(store))[0]).toBe("b");
    expect(await searchIds(store, "do it")).toEqual(["b", "a"]);
    expect(await searchIds(store, "later")).toEqual(["a"]);

    await store.delete("a");
    expect(await store.image("b", image)).toEqual(bytes("before"));
    expect(await store.getBlob(hash)).toEqual(bytes("output"));
    const copy = (await store.read("b", 0)).reduce(step, emptyState());
    await store.dropImages("b", checkpointId(copy, 1));
    expect(await store.image("b", image)).toBeUndefined();
  },

  "calls running when a session was copied are interrupted in the copy, except reads": async ({ store }) => {
    await add(
      store,
      "a",
      user("x"),
      call("r"),
      call("c"),
      answer,
      startFact("r", "read"),
      startFact("c", "change"),
    );
    await store.copy("a", { id: "b", workspace: "/w", createdAt: 9 }, 7);
    const entries = await store.read("b", 0);
    expect((await store.get("b"))?.facts).toBe(8);
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(entries.at(-1)).toMatchObject({ type: "result", callId: "c", outcome: "interrupted" });
    expect([...entries.reduce(step, emptyState()).open]).toEqual(["r"]);
    await store.append("b", await store.claim("b"), [{ ...end, v: factVersion, seq: 9, at: 10, turn: 1 }]);
  },

  "a failed copy leaves nothing behind": async ({ store }) => {
    await add(store, "a", user("x"));
    await add(store, "b", user("y"));
    const to = { id: "c", workspace: "/w", createdAt: 1 };
    for (const upTo of [0, -1, 3, 1.5, Number.NaN])
      await expect(store.copy("a", to, upTo)).rejects.toThrow(StoreError);
    await expect(store.copy("nobody", to, 1)).rejects.toThrow(StoreError);
    await expect(store.copy("a", { ...to, id: "b" }, 1)).rejects.toThrow(StoreError);
    expect(await ids(store)).toEqual(["b", "a"]);
    expect((await store.read("b", 0))[1]).toMatchObject(user("y"));
  },
};
