/** Many followers of one long session cost one reading of it, and leave the thread free in between. */

import { expect, test } from "vitest";
import type { Entry } from "../protocol/facts.ts";
import type { PageSize } from "../session/store.ts";
import { WrappedStore } from "../session/testing/wrapped-store.ts";
import { type HistoryPage, SharedHistory } from "./shared-history.ts";

/** Counts the pages that are read, and how often a fact is encoded. */
class CountingStore extends WrappedStore {
  reads = 0;
  encoded = 0;
  failure: Error | undefined;

  override async read(session: string, after: number, most?: PageSize): Promise<Entry[]> {
    if (this.failure) throw this.failure;
    const entries = await super.read(session, after, most);
    if (entries.length > 0) this.reads += 1;
    return entries.map((entry) => {
      const text = entry.type === "warning" ? entry.text : "";
      const count = (): string => {
        this.encoded += 1;
        return text;
      };
      return Object.defineProperty({ ...entry }, "text", { get: count, enumerable: true });
    });
  }
}

const note = (seq: number): Entry => ({
  type: "warning",
  code: "note",
  text: `fact ${seq}`,
  v: 1,
  seq,
  at: seq,
  turn: 0,
});

const id = "s1";

async function stage(facts: number) {
  const store = new CountingStore();
  await store.create({ id, workspace: "/w", createdAt: 1 });
  const epoch = await store.claim(id);
  const add = (from: number, to: number) =>
    store.append(
      id,
      epoch,
      Array.from({ length: to - from + 1 }, (_, at) => note(from + at)),
    );
  await add(1, facts);
  return { store, history: new SharedHistory(store), add };
}

async function sequence(pages: AsyncIterable<HistoryPage>): Promise<number[]> {
  const seen: number[] = [];
  for await (const { texts } of pages)
    for (const text of texts) seen.push(Number(/"seq":(\d+)/u.exec(text)?.[1]));
  return seen;
}

const upTo = (last: number, from = 1): number[] =>
  Array.from({ length: last - from + 1 }, (_, at) => from + at);

test("a hundred followers of a thousand facts read and encode each of them once", async () => {
  const { store, history } = await stage(1_000);
  const followers = Array.from({ length: 100 }, () => sequence(history.pages(id, 0)));
  for (const seen of await Promise.all(followers)) expect(seen).toEqual(upTo(1_000));
  expect(store.encoded).toBe(1_000);
  expect(store.reads).toBe(8); // pages of 128
});

test("between two pages, whoever gets them, the thread is free for others", async () => {
  const { history } = await stage(1_000);
  let turn = 0;
  let isOver = false;
  const others = (): void => {
    turn += 1;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  const turns: number[] = [];
  const follow = async (): Promise<void> => {
    for await (const _ of history.pages(id, 0)) turns.push(turn);
  };
  await Promise.all(Array.from({ length: 10 }, follow));
  isOver = true;
  expect(turns).toHaveLength(80);
  expect(new Set(turns).size).toBe(80);
});

test("a follower that is far behind reads by itself, and gets everything", async () => {
  const { store, history } = await stage(3_000);
  const slow = history.pages(id, 0);
  const first = await slow.next();
  expect(await sequence(history.pages(id, 0))).toEqual(upTo(3_000));
  const { reads } = store;
  const rest = await sequence(slow);
  expect([...(first.done ? [] : first.value.entries.map(({ seq }) => seq)), ...rest]).toEqual(upTo(3_000));
  expect(store.reads).toBeGreaterThan(reads);
});

test("facts that came meanwhile are there for the next one, and nothing is kept when nobody catches up", async () => {
  const { store, history, add } = await stage(10);
  const held = history.pages(id, 0);
  await held.next(); // keeps the page of ten
  await add(11, 20);
  expect(await sequence(history.pages(id, 0))).toEqual(upTo(20));
  await held.return();
  const { reads } = store;
  expect(await sequence(history.pages(id, 0))).toEqual(upTo(20));
  expect(store.reads).toBe(reads + 1);
});

test("a failed reading fails those who wait for it, and the next one reads again", async () => {
  const { store, history } = await stage(10);
  store.failure = new Error("locked");
  const both = await Promise.allSettled([sequence(history.pages(id, 0)), sequence(history.pages(id, 0))]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  store.failure = undefined;
  expect(await sequence(history.pages(id, 0))).toEqual(upTo(10));
});
