import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { onTestFinished, expect, test } from "vitest";
import { SessionLog } from "../log.ts";
import { ownOwner } from "../owner.ts";
import { type Store, StoreError } from "../store.ts";
import { openSqliteStore } from "./sqlite.ts";
import { note, openTestStore } from "./testing/sqlite.ts";

/** A database with one session that has a fact and an image, then modified by `sql`. */
async function damaged(sql: string): Promise<{ path: string; hash: string }> {
  const directory = mkdtempSync(join(tmpdir(), "damage-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, "s.db");
  const store = openSqliteStore(path);
  await store.create({ id: "s", workspace: "/w", createdAt: 1 });
  const epoch = await store.claim("s", { owner: ownOwner() });
  const said = { type: "user-message" as const, content: [{ type: "text" as const, text: "hello" }] };
  await store.append("s", epoch, [{ ...said, v: 1, seq: 1, at: 1, turn: 1 }]);
  const hash = await store.keepImage("s", "o", Buffer.from("before\n"));
  await store.close();
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA foreign_keys = OFF; ${sql}`);
  database.close();
  return { path, hash };
}

/** Everything a program does with a store; throws the first failure. */
async function use(path: string): Promise<void> {
  const store = openSqliteStore(path);
  try {
    await store.list();
    await store.read("s", 0);
    await store.openBlock("s");
    await store.holder("s");
    await store.processes("s");
    await store.search("hello", 5);
    await store.claim("s", { owner: ownOwner() });
    await store.copy("s", { id: "t", workspace: "/w", createdAt: 1 }, 1);
  } finally {
    await store.close();
  }
}

test.each([
  ["a table is lost", "DROP TABLE facts"],
  ["the search index is lost", "DROP TABLE said_words"],
  ["a number is out of range", "UPDATE sessions SET created_at = 9223372036854775807"],
  [
    "a holder's time is out of range",
    "INSERT OR REPLACE INTO holders VALUES ('s', 'p', 1, '', '', '', '', 1, 9223372036854775807)",
  ],
  [
    "rows reference nothing",
    "INSERT INTO image_owners VALUES ('s', 'p', 'none', 9); INSERT INTO blob_users VALUES ('none', 's')",
  ],
])("A41: where %s, any failure is a one-line StoreError that names the file", async (_, sql) => {
  const { path } = await damaged(sql);
  const failed = await use(path).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failed === undefined) return;
  expect(failed).toBeInstanceOf(StoreError);
  expect(failed).toHaveProperty(
    "message",
    expect.stringMatching(/^The session database \S+s\.db .*left as it is.*\.$/),
  );
});

test("an unreadable open block does not prevent opening its session", async () => {
  const { path } = await damaged("INSERT INTO open_blocks VALUES ('s', 1, 'text', 'no JSON')");
  await use(path);
});

test("an image that does not match its hash is never returned", async () => {
  const { path, hash } = await damaged("UPDATE images SET bytes = x'00'");
  const store = openSqliteStore(path);
  expect(await store.image("s", hash)).toBeUndefined();
  await store.close();
});

test("a damaged long text is marked, a damaged output is missing, and the rest of the session is read", async () => {
  const { path } = await damaged("");
  const store = openSqliteStore(path);
  const epoch = await store.claim("s", { owner: ownOwner(), takeOver: true });
  const long = {
    type: "text" as const,
    block: 1,
    text: "as it was said ".repeat(2_000),
    by: "model" as const,
  };
  await store.append("s", epoch, [{ ...long, v: 1, seq: 2, at: 2, turn: 1 }]);
  const output = await store.putBlob(Buffer.from("printed\n"));
  const database = new DatabaseSync(path);
  database.exec("UPDATE blobs SET bytes = CAST(replace(CAST(bytes AS TEXT), 'i', 'o') AS BLOB)");
  database.close();
  const read = await store.read("s", 0);
  expect(read.map(({ type }) => type)).toEqual(["user-message", "text"]);
  expect(JSON.stringify(read[1])).toContain("[This text is missing from the store, or damaged there: ");
  expect(await store.getBlob(output)).toBeUndefined();
  expect(await store.image("s", output)).toBeUndefined();
  await store.close();
});

/** Four facts, then modified by `sql`. */
async function fourFacts(sql: string): Promise<Store> {
  const { path } = await damaged("");
  const before = openSqliteStore(path);
  const epoch = await before.claim("s", { owner: ownOwner(), takeOver: true });
  await before.append("s", epoch, [note(2), note(3), note(4)]);
  await before.close();
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
  return openTestStore(path);
}

const openLog = async (store: Store): Promise<SessionLog> =>
  SessionLog.open({ store, session: "s", epoch: await store.claim("s", { owner: ownOwner() }) });

test.each([
  ["is not JSON", "'no JSON'"],
  ["has no number", "'{}'"],
  ["has another number", `replace(entry, '"seq":4', '"seq":1')`],
])("a damaged fact keeps its place, and its session is read to the end: it %s", async (_, text) => {
  const log = await openLog(await fourFacts(`UPDATE facts SET entry = ${text} WHERE seq = 4`));
  expect(log.entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  await log.append({ type: "warning", code: "test", text: "more" });
  expect(log.state.seq).toBe(5);
});

test.each([
  ["missing in the middle", "DELETE FROM facts WHERE seq = 3", "4 facts, and they can be read up to 2"],
  ["missing at the end", "DELETE FROM facts WHERE seq > 2", "4 facts, and they can be read up to 2"],
  ["all missing", "DELETE FROM facts", "4 facts, and they can be read up to 0"],
  ["more than counted", "UPDATE sessions SET facts = 2", "2 facts, and they can be read up to 4"],
])("a session whose facts do not match their count is refused as damaged: %s", async (_, sql, words) => {
  const opening = openLog(await fourFacts(sql));
  await expect(opening).rejects.toThrow(StoreError);
  await expect(opening).rejects.toThrow(`the database says that it has ${words}. It is damaged`);
});

test("a path that the system refuses is reported in one line", () => {
  const path = join(tmpdir(), "x".repeat(300), "s.db");
  expect(() => openSqliteStore(path)).toThrow(StoreError);
  expect(() => openSqliteStore(path)).toThrow(/cannot be opened \(ENAMETOOLONG\)\. Check its path/);
});
