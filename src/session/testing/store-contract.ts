/** What every store guarantees, as tests: each implementation runs them from its own test file. */

import { expect, test } from "vitest";
import { sha256 } from "../../base/crypto.ts";
import type { JsonObject } from "../../base/json.ts";
import { mostFactTextBytes } from "../../protocol/bounds.ts";
import type { DialectMeasurement, ModelKey } from "../../protocol/dialect-record.ts";
import { factVersion, type Entry, type Fact } from "../../protocol/facts.ts";
import { StaleEpoch, StoreError, type StreamedBlock, type Store } from "../store.ts";

const session = "s1";
type ContractStores = { store: Store; other: Store; epoch: number };

const user = (text: string): Fact => ({ type: "user-message", content: [{ type: "text", text }] });
const text = (block: number, words: string): Fact => ({ type: "text", block, text: words, by: "model" });
const answerEnd: Fact = { type: "answer-end", reason: "stop", model: "m" };
const unpaired = "a\u0000b \ud83d";

/** Facts as entries of a session, numbered from `last` + 1. */
function entriesAfter(last: number, ...facts: Fact[]): Entry[] {
  return facts.map((fact, index) => {
    const seq = last + 1 + index;
    return { ...fact, v: factVersion, seq, at: 1000 + seq, turn: 1 };
  });
}

/** `makeStore` returns two connections to the same new store: the second may be the same object. */
export function storeContract(name: string, makeStore: () => Promise<[Store, Store]>): void {
  for (const [title, check] of Object.entries(promises)) {
    test(`${name}: ${title}`, async () => {
      const [store, other] = await makeStore();
      await store.create({ id: session, workspace: "/home/me/project", createdAt: 1000 });
      await check({ store, other, epoch: await store.claim(session) });
    });
  }
}

const promises: Readonly<Record<string, (opened: ContractStores) => Promise<void>>> = {
  "entries are read unchanged, in order, after a position and up to a limit": async ({
    store,
    other,
    epoch,
  }) => {
    const entries = entriesAfter(0, user("one"), text(1, "two"), text(2, "three"), answerEnd);
    await store.append(session, epoch, entries.slice(0, 1));
    await store.append(session, epoch, entries.slice(1));
    expect(await other.read(session, 0)).toEqual(entries);
    expect(await other.read(session, 1, { facts: 2, characters: 1_000_000 })).toEqual(entries.slice(1, 3));
    expect(await other.read(session, 3)).toEqual(entries.slice(3));
    expect(await other.read(session, 4)).toEqual([]);
    expect(await other.read(session, 99)).toEqual([]);
    expect(await other.read(session, 0, { facts: 0, characters: 1_000_000 })).toEqual([]);
    expect(await other.read("nobody", 0)).toEqual([]);
  },

  "a page ends with the fact that reaches its character limit, and is empty only after the last fact":
    async ({ store, other, epoch }) => {
      const long = "x".repeat(2 * mostFactTextBytes);
      const entries = entriesAfter(0, user("one"), text(1, long), text(2, long), text(3, "two"), answerEnd);
      await store.append(session, epoch, entries);
      const page = (after: number, characters: number) =>
        other.read(session, after, { facts: 3, characters });
      expect(await page(0, 1)).toEqual(entries.slice(0, 1));
      expect(await page(0, long.length)).toEqual(entries.slice(0, 2));
      expect(await page(0, 2 * long.length)).toEqual(entries.slice(0, 3));
      expect(await page(1, long.length)).toEqual(entries.slice(1, 2));
      expect(await page(1, 1_000_000)).toEqual(entries.slice(1, 4));
      expect(await page(4, 1)).toEqual(entries.slice(4));
      expect(await page(5, 1)).toEqual([]);
    },

  "any text is stored unchanged: empty, unicode, zero bytes, lone surrogates, a megabyte": async ({
    store,
    other,
    epoch,
  }) => {
    const texts = [
      "",
      "żółć 語 👩‍👩‍👧",
      unpaired,
      "語".repeat(350_000),
      "x".repeat(1024 * 1024),
      "\ud800".repeat(20_000),
    ];
    const entries = entriesAfter(0, ...texts.map((words, index) => text(index + 1, words)));
    await store.append(session, epoch, entries);
    expect(await other.read(session, 0)).toEqual(entries);
  },

  "facts of later versions are stored and read unchanged": async ({ store, other, epoch }) => {
    const original = { type: "later", v: 9, seq: 1, at: 1, turn: 0, x: [{ $blob: "no" }] };
    const entry: Entry = { type: "unknown", original, v: 9, seq: 1, at: 1, turn: 0 };
    await store.append(session, epoch, [entry]);
    expect(await other.read(session, 0)).toEqual([entry]);
  },

  "a gap, a repetition or a wrong start is refused, and nothing of the append is stored": async ({
    store,
    other,
    epoch,
  }) => {
    await store.append(session, epoch, entriesAfter(0, user("one")));
    const next = entriesAfter(1, text(1, "a"), text(2, "b"), text(3, "c"));
    const [second, third, fourth] = [next.slice(0, 1), next.slice(1, 2), next.slice(2)];
    const wrong = [entriesAfter(0, user("again")), third, [...second, ...fourth], [...second, ...second]];
    for (const entries of wrong) {
      await expect(store.append(session, epoch, entries)).rejects.toThrow(StoreError);
    }
    expect(await other.read(session, 0)).toEqual(entriesAfter(0, user("one")));
    expect((await other.get(session))?.facts).toBe(1);
    await store.append(session, epoch, [...second, ...third]);
    expect((await other.read(session, 0)).map((entry) => entry.seq)).toEqual([1, 2, 3]);
  },

  "an entry that cannot be serialized fails its whole append": async ({ store, other, epoch }) => {
    const input: JsonObject = {};
    input["self"] = input;
    const circular: Fact = { type: "call", call: { id: "c", name: "n", input, source: "native" } };
    const entries = entriesAfter(0, user("one"), circular);
    await expect(store.append(session, epoch, entries)).rejects.toThrow(TypeError);
    expect(await other.read(session, 0)).toEqual([]);
    await store.append(session, epoch, entries.slice(0, 1));
    expect(await other.read(session, 0)).toEqual(entries.slice(0, 1));
  },

  "only the latest claim of a session may write": async ({ store, other, epoch }) => {
    await store.append(session, epoch, entriesAfter(0, user("mine")));
    const newer = await other.claim(session);
    expect(newer).toBeGreaterThan(epoch);
    const block: StreamedBlock = { block: 1, kind: "text", text: "late" };
    await expect(store.append(session, epoch, entriesAfter(1, text(1, "late")))).rejects.toThrow(StaleEpoch);
    await expect(store.keepOpenBlock(session, epoch, block)).rejects.toThrow(StaleEpoch);
    await expect(store.append(session, newer + 1, entriesAfter(1, text(1, "?")))).rejects.toThrow(StaleEpoch);
    await other.append(session, newer, entriesAfter(1, text(1, "theirs")));
    expect(await store.read(session, 0)).toEqual([
      ...entriesAfter(0, user("mine")),
      ...entriesAfter(1, text(1, "theirs")),
    ]);
    expect(await store.openBlock(session)).toBeUndefined();
  },

  "concurrent appends of a connection are all stored in call order": async ({ store, other, epoch }) => {
    await other.create({ id: "s2", workspace: "/w", createdAt: 1000 });
    const there = await other.claim("s2");
    const all = entriesAfter(0, ...Array.from({ length: 100 }, (_, index) => text(index + 1, `${index}`)));
    const appends = all.flatMap((entry) => [
      store.append(session, epoch, [entry]),
      other.append("s2", there, [entry]),
    ]);
    await Promise.all(appends);
    expect(await other.read(session, 0)).toEqual(all);
    expect(await store.read("s2", 0)).toEqual(all);
  },

  "two connections that write against each other leave no gap, and every position can be read on from":
    async ({ store, other, epoch }) => {
      const write = async (writer: Store, words: string): Promise<void> => {
        const last = (await writer.heads([session])).get(session) ?? 0;
        const written = writer.append(session, epoch, entriesAfter(last, text(last + 1, words)));
        await written.catch((error: unknown) => {
          if (!(error instanceof StoreError)) throw error;
          return write(writer, words); // the other one was faster
        });
      };
      const said = Array.from({ length: 40 }, (_, index) => `${index}`);
      const writers = [store, other].map(async (writer, half) => {
        for (const words of said.filter((_, index) => index % 2 === half)) await write(writer, words);
      });
      await Promise.all(writers);
      const all = await store.read(session, 0);
      expect(all.map(({ seq }) => seq)).toEqual(said.map((_, index) => index + 1));
      const stored = all.map((entry) => (entry.type === "text" ? entry.text : ""));
      expect(stored.toSorted()).toEqual(said.toSorted());
      for (const after of [...said.keys(), said.length])
        expect(await other.read(session, after)).toEqual(all.slice(after));
    },

  "of two writers of the same position one is refused": async ({ store, other, epoch }) => {
    const rivals = [store, other].map((writer, index) =>
      writer.append(session, epoch, entriesAfter(0, user(`${index}`))),
    );
    const outcomes = (await Promise.allSettled(rivals)).map(({ status }) => status);
    expect(outcomes.toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await store.read(session, 0)).toHaveLength(1);
  },

  "sessions are listed newest first, titled with the start of their first message": async ({
    store,
    other,
    epoch,
  }) => {
    await store.create({ id: "s2", workspace: "/b", createdAt: 900 });
    await store.create({ id: "s3", workspace: "/c", createdAt: 5000 });
    const words =
      "  Please\n\trename \u0007 every occurrence of the configuration reader in all packages, and then run the tests ";
    await store.append(session, epoch, entriesAfter(0, user(words), user("second")));
    expect(await other.list()).toEqual([
      { id: "s3", workspace: "/c", createdAt: 5000, updatedAt: 5000, facts: 0, title: "" },
      {
        id: session,
        workspace: "/home/me/project",
        createdAt: 1000,
        updatedAt: 1002,
        facts: 2,
        title: "Please rename every occurrence of the configuration reader in all packages, and…",
      },
      { id: "s2", workspace: "/b", createdAt: 900, updatedAt: 900, facts: 0, title: "" },
    ]);
    expect(await other.get("s2")).toEqual((await other.list())[2]);
    expect(await other.get("nobody")).toBeUndefined();
  },

  "the title comes from the first message with text, and never splits a character": async ({
    store,
    epoch,
  }) => {
    const picture: Fact = {
      type: "user-message",
      content: [{ type: "image", mediaType: "image/png", data: "AA==" }],
    };
    await store.append(session, epoch, entriesAfter(0, picture));
    expect((await store.get(session))?.title).toBe("");
    await store.append(session, epoch, entriesAfter(1, user("👩‍👩‍👧".repeat(100) + unpaired)));
    await store.append(session, epoch, entriesAfter(2, user("not this")));
    expect((await store.get(session))?.title).toBe(`${"👩‍👩‍👧".repeat(79)}…`);
  },

  "a session is created only once, and an unknown session is refused with a StoreError": async ({
    store,
  }) => {
    const again = store.create({ id: session, workspace: "/other", createdAt: 1 });
    await expect(again).rejects.toThrow(
      new StoreError(`Session ${session} exists already. Resume it, or choose another id.`),
    );
    expect((await store.get(session))?.workspace).toBe("/home/me/project");
    await expect(store.claim("nobody")).rejects.toThrow(StoreError);
    await expect(store.append("nobody", 1, entriesAfter(0, user("x")))).rejects.toThrow(StoreError);
    await expect(store.keepOpenBlock("nobody", 1, undefined)).rejects.toThrow(StoreError);
    expect(await store.openBlock("nobody")).toBeUndefined();
  },

  "the open block is a single row: overwritten, removed, and gone once its fact is stored": async ({
    store,
    other,
    epoch,
  }) => {
    expect(await other.openBlock(session)).toBeUndefined();
    await store.keepOpenBlock(session, epoch, { block: 3, kind: "reasoning", text: "Hm" });
    await store.keepOpenBlock(session, epoch, { block: 4, kind: "text", text: unpaired });
    expect(await other.openBlock(session)).toEqual({ block: 4, kind: "text", text: unpaired });
    await store.append(session, epoch, entriesAfter(0, text(3, "an earlier block")));
    expect(await other.openBlock(session)).toEqual({ block: 4, kind: "text", text: unpaired });
    await store.append(session, epoch, entriesAfter(1, text(4, unpaired)));
    expect(await other.openBlock(session)).toBeUndefined();

    await store.keepOpenBlock(session, epoch, { block: 5, kind: "text", text: "dropped" });
    await store.keepOpenBlock(session, epoch, undefined);
    expect(await other.openBlock(session)).toBeUndefined();
    await store.keepOpenBlock(session, epoch, { block: 6, kind: "text", text: "left by a broken answer" });
    await store.append(session, epoch, entriesAfter(2, answerEnd));
    expect(await other.openBlock(session)).toBeUndefined();
  },

  "blobs are stored by content, and callers cannot change them afterwards": async ({ store, other }) => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
    const original = bytes.slice();
    const hash = await store.putBlob(bytes);
    expect(hash).toBe(sha256(original));
    expect(await other.putBlob(bytes)).toBe(hash);
    bytes.fill(0);
    (await store.getBlob(hash))?.fill(0);
    expect(await other.getBlob(hash)).toEqual(original);
    expect(await other.getBlob(await store.putBlob(new Uint8Array()))).toEqual(new Uint8Array());
    expect(await other.getBlob("0".repeat(64))).toBeUndefined();
  },

  "stored entries do not change with the caller's objects": async ({ store, other, epoch }) => {
    const entries = entriesAfter(0, user("before"));
    await store.append(session, epoch, entries);
    for (const entry of [...entries, ...(await store.read(session, 0))])
      Object.assign(entry, { content: [] });
    expect(await other.read(session, 0)).toEqual(entriesAfter(0, user("before")));
  },

  "an empty append changes nothing, but its epoch is checked": async ({ store, epoch }) => {
    const before = await store.get(session);
    await store.append(session, epoch, []);
    expect(await store.get(session)).toEqual(before);
    await expect(store.append(session, epoch - 1, [])).rejects.toThrow(StaleEpoch);
  },

  "dialect records are kept by server, model, template and dialect": async ({ store, other }) => {
    expect(await other.dialectsOf(model)).toEqual([]);
    await store.addCounts(model, "native", { calls: 2, repairs: 1, refusals: 0 });
    await store.putMeasured(model, [dialectMeasurement("hermes", 20), dialectMeasurement("other", 3)]);
    const elsewhere = { ...model, server: "http://box:8000/v1" };
    await store.putMeasured(elsewhere, [dialectMeasurement("native", 21)]);
    await store.addCounts({ ...model, template: "" }, "native", { calls: 9, repairs: 0, refusals: 9 });
    const known = [
      { dialect: "hermes", counts: none, measured: dialectMeasurement("hermes", 20) },
      { dialect: "native", counts: { calls: 2, repairs: 1, refusals: 0 } },
      { dialect: "other", counts: none, measured: dialectMeasurement("other", 3) },
    ];
    expect(byDialect(await other.dialectsOf(model))).toEqual(known);
    expect(await other.dialectsOf({ ...model, model: "q" })).toEqual([]);
    const all = (await other.measuredModels()).toSorted((a, b) => a.server.localeCompare(b.server));
    expect(all.map((one) => ({ ...one, dialects: byDialect(one.dialects) }))).toEqual([
      { ...model, dialects: known },
      {
        ...elsewhere,
        dialects: [{ dialect: "native", counts: none, measured: dialectMeasurement("native", 21) }],
      },
    ]);
  },

  "a new measurement replaces the old one and resets its counts": async ({ store, other }) => {
    await store.putMeasured(model, [dialectMeasurement("hermes", 5), dialectMeasurement("native", 6)]);
    await store.addCounts(model, "hermes", { calls: 1, repairs: 0, refusals: 4 });
    await other.putMeasured(model, [dialectMeasurement("hermes", 20)]);
    await other.putMeasured(model, []);
    expect(byDialect(await store.dialectsOf(model))).toEqual([
      { dialect: "hermes", counts: none, measured: dialectMeasurement("hermes", 20) },
      { dialect: "native", counts: none, measured: dialectMeasurement("native", 6) },
    ]);
    await store.addCounts(model, "hermes", { calls: 1, repairs: 1, refusals: 0 });
    expect(byDialect(await other.dialectsOf(model))[0]).toEqual({
      dialect: "hermes",
      counts: { calls: 1, repairs: 1, refusals: 0 },
      measured: dialectMeasurement("hermes", 20),
    });
  },

  "concurrent counts are all added": async ({ store, other }) => {
    const one = { calls: 3, repairs: 2, refusals: 1 };
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 ? other : store).addCounts(model, "native", one)),
    );
    expect(await store.dialectsOf(model)).toEqual([
      { dialect: "native", counts: { calls: 300, repairs: 200, refusals: 100 } },
    ]);
  },

  "stored measurements do not change with the caller's objects": async ({ store }) => {
    const given = dialectMeasurement("hermes", 20);
    await store.putMeasured(model, [given]);
    given.right = 0;
    for (const { counts } of await store.dialectsOf(model)) counts.calls = 7;
    for (const { dialects } of await store.measuredModels()) dialects.pop();
    expect(await store.dialectsOf(model)).toEqual([
      { dialect: "hermes", counts: none, measured: dialectMeasurement("hermes", 20) },
    ]);
  },
};

const model: ModelKey = { server: "http://127.0.0.1:11434", model: "qwen3:8b", template: "a1" };
const none = { calls: 0, repairs: 0, refusals: 0 };

const dialectMeasurement = (dialect: string, right: number): DialectMeasurement => ({
  dialect,
  at: 1_790_000_000_000,
  tasks: 21,
  right,
  repaired: 1,
  unreadable: 2,
  inputTokens: 9000,
  outputTokens: 800,
  medianMs: 1234.5,
});

const byDialect = <Item extends { dialect: string }>(records: readonly Item[]): Item[] =>
  records.toSorted((a, b) => a.dialect.localeCompare(b.dialect));
