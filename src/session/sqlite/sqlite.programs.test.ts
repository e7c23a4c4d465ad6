/** Tests the SQLite store: the store contract, and the contents of its file. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { sha256 } from "../../base/crypto.ts";
import { ownOwner } from "../owner.ts";
import { type Store, StoreError } from "../store.ts";
import { imageContract } from "../testing/image-contract.ts";
import { listContract } from "../testing/list-contract.ts";
import { ownerContract } from "../testing/owner-contract.ts";
import { peopleContract } from "../testing/people-contract.ts";
import { storeContract } from "../testing/store-contract.ts";
import { teamContract } from "../testing/team-contract.ts";
import { migrations, openDatabase } from "./database.ts";
import { sqliteStore } from "./sqlite.ts";
import { newDirectory, openTestStore, outsider, note, info, withSession } from "./testing/sqlite.ts";

const both = async (): Promise<[Store, Store]> => {
  const path = join(newDirectory(), "sessions.db");
  return [openTestStore(path), openTestStore(path)];
};

storeContract("sqlite", both);

ownerContract("sqlite", both);

peopleContract("sqlite", both);
teamContract("sqlite", both);

listContract("sqlite", both);

imageContract("sqlite", async (maxImageBytes) => {
  const path = join(newDirectory(), "sessions.db");
  return [openTestStore(path, { maxImageBytes }), openTestStore(path, { maxImageBytes })];
});

test("the directory and the files are private to their owner, and everything survives reopening", async () => {
  const path = join(newDirectory(), "state", "deep", "sessions.db");
  const { store, epoch } = await withSession(path);
  await store.append(info.id, epoch, [note(1), note(2, "x".repeat(50_000))]);
  await store.keepOpenBlock(info.id, epoch, { block: 1, kind: "text", text: "half a th" });
  const modes = [path, `${path}-wal`, `${path}-shm`].map((file) => statSync(file).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600, 0o600]);
  expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
  expect(statSync(join(path, "../..")).mode & 0o777).toBe(0o700);
  await store.close();
  await store.close();

  const again = openTestStore(path);
  expect(await again.read(info.id, 0)).toEqual([note(1), note(2, "x".repeat(50_000))]);
  expect(await again.openBlock(info.id)).toEqual({ block: 1, kind: "text", text: "half a th" });
  expect(await again.claim(info.id)).toBe(epoch + 1);
});

test("a long text is stored once, however often it occurs", async () => {
  const path = join(newDirectory(), "s.db");
  const { store, epoch } = await withSession(path);
  const long = "long ".repeat(200_000);
  const entries = [1, 2, 3, 4, 5].map((seq) => note(seq, long));
  await store.append(info.id, epoch, entries);
  const sizes = outsider(path).prepare("SELECT length(bytes) AS bytes FROM blobs").all();
  expect(sizes.map(({ bytes }) => bytes)).toEqual([1_000_000]);
  expect(await store.read(info.id, 0)).toEqual(entries);
});

test("a database of the first version opens, since released migrations never change", async () => {
  const path = join(newDirectory(), "s.db");
  const long = new TextEncoder().encode("a long text");
  const first = outsider(path);
  first.exec(`
    CREATE TABLE sessions (id TEXT PRIMARY KEY, workspace TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
      facts INTEGER NOT NULL DEFAULT 0, title TEXT NOT NULL DEFAULT '', epoch INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE facts (session TEXT NOT NULL REFERENCES sessions (id), seq INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (session, seq)) STRICT;
    CREATE TABLE open_blocks (session TEXT PRIMARY KEY REFERENCES sessions (id), block INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL) STRICT;
    CREATE TABLE blobs (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
    INSERT INTO sessions VALUES ('s1', '/w', 1000, 1001, 1, 'Hello', 4);
    INSERT INTO facts VALUES ('s1', 1, '{"type":"warning","code":"test","text":{"$blob":"${sha256(long)}"},"v":1,"seq":1,"at":1001,"turn":0}');
    INSERT INTO open_blocks VALUES ('s1', 2, 'text', '"half"');
    INSERT INTO blobs VALUES ('${sha256(long)}', CAST('a long text' AS BLOB));
    PRAGMA user_version = 1;
  `);
  first.close();
  const store = openTestStore(path);
  expect(await store.list()).toEqual([{ ...info, updatedAt: 1001, facts: 1, title: "Hello" }]);
  expect(await store.read("s1", 0)).toEqual([note(1, "a long text")]);
  expect(await store.openBlock("s1")).toEqual({ block: 2, kind: "text", text: "half" });
  await store.append("s1", await store.claim("s1"), [note(2)]);
  const model = { server: "http://box", model: "m", template: "" };
  await store.addCounts(model, "native", { calls: 1, repairs: 0, refusals: 0 });
  expect(await store.dialectsOf(model)).toHaveLength(1);
  expect(await store.image("s1", sha256(long))).toEqual(long);
  await store.dropImages("s1", await store.keepImage("s1", "ckpt_1", new Uint8Array(3)));
});

test.each(migrations.map((_, at) => at + 1))("a database of format %i is migrated", async (format) => {
  const path = join(newDirectory(), "s.db");
  const earlier = outsider(path);
  for (const step of migrations.slice(0, format)) earlier.exec(step);
  earlier.exec(`
    INSERT INTO sessions (id, workspace, created_at, updated_at, facts, title, epoch) VALUES ('s1', '/w', 1000, 1001, 1, 'Hello', 4);
    INSERT INTO facts VALUES ('s1', 1, '${JSON.stringify(note(1))}');
    PRAGMA user_version = ${format};
  `);
  earlier.close();
  const store = openTestStore(path);
  const epoch = await store.claim(info.id, { owner: ownOwner() });
  expect(epoch).toBe(5);
  await store.append(info.id, epoch, [note(2)]);
  expect(await store.read(info.id, 0)).toEqual([note(1), note(2)]);
  await store.keepImage(info.id, "ckpt_1", new Uint8Array(3));
  await store.release(info.id, epoch);
  await store.delete(info.id);
  expect(await store.list()).toEqual([]);
});

test("a session of an earlier version is searched, copied and deleted with its contents", async () => {
  const path = join(newDirectory(), "s.db");
  const texts = ["needle own", "needle shared", "needle image"];
  const [own = "", shared = "", image] = texts.map((text) => sha256(Buffer.from(text)));
  const first = outsider(path);
  first.exec(`
    CREATE TABLE sessions (id TEXT PRIMARY KEY, workspace TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
      facts INTEGER NOT NULL DEFAULT 0, title TEXT NOT NULL DEFAULT '', epoch INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE facts (session TEXT NOT NULL REFERENCES sessions (id), seq INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (session, seq)) STRICT;
    CREATE TABLE open_blocks (session TEXT PRIMARY KEY REFERENCES sessions (id), block INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL) STRICT;
    CREATE TABLE blobs (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
    INSERT INTO sessions VALUES ('s1', '/w', 1000, 1001, 4, 'Hello', 4), ('s2', '/w', 1000, 1002, 1, 'Other', 1);
    INSERT INTO facts VALUES
      ('s1', 1, '{"type":"user-message","content":[{"type":"text","text":"Say hello"}],"v":1,"seq":1,"at":1001,"turn":1}'),
      ('s1', 2, '{"type":"text","block":1,"by":"model","text":{"$blob":"${own}"},"v":1,"seq":2,"at":1001,"turn":1}'),
      ('s1', 3, '{"type":"change-applied","callId":"c","changes":[{"path":"f","before":"${image}","after":null}],"seq":3,"at":1,"turn":1}'),
      ('s1', 4, '{"type":"text","text":{"$blob":"${shared}"'),
      ('s2', 1, '{"type":"text","block":1,"by":"model","text":{"$blob":"${shared}"},"v":1,"seq":1,"at":1001,"turn":0}');
    INSERT INTO blobs VALUES
      ('${own}', CAST('needle own' AS BLOB)), ('${shared}', CAST('needle shared' AS BLOB)), ('${image}', CAST('needle image' AS BLOB));
    PRAGMA user_version = 1;
  `);
  first.close();
  const store = openTestStore(path);
  expect((await store.search("needle", 9)).map(({ id }) => id)).toEqual(["s2", "s1"]);
  await store.copy("s1", { id: "s3", workspace: "/w", createdAt: 3000 }, 2);
  await store.delete("s1");
  const blobs = outsider(path).prepare("SELECT hash FROM blobs ORDER BY hash");
  expect(blobs.all().map(({ hash }) => hash)).toEqual([own, shared].toSorted());
  expect((await store.search("hello needle", 9)).map(({ id }) => id)).toEqual(["s3"]);
  await store.delete("s3");
  await store.delete("s2");
  expect(blobs.all()).toEqual([]);
  const tables = ["facts", "said", "said_words", "blob_users", "loose_blobs", "holders", "processes"];
  for (const table of tables) expect(outsider(path).prepare(`SELECT * FROM ${table}`).all()).toEqual([]);
});

test("deleted text cannot be read from the file", async () => {
  const path = join(newDirectory(), "s.db");
  const { store, epoch } = await withSession(path);
  await store.append(info.id, epoch, [note(1, "a-secret-word"), note(2, "a-secret-word ".repeat(5000))]);
  const [file, log] = [path, `${path}-wal`];
  const isThere = (): boolean =>
    [file, log].some((one) => existsSync(one) && readFileSync(one).includes("a-secret-word"));
  expect(isThere()).toBe(true);
  await store.release(info.id, epoch);
  await store.delete(info.id);
  expect(isThere()).toBe(false);
});

test("the start of an executing call is synced to disk; the start of a read is not", async () => {
  const database = openDatabase(join(newDirectory(), "a.db"), 1000);
  const store = sqliteStore(database, "a.db");
  await store.create({ id: "s", workspace: "/w", createdAt: 0 });
  const epoch = await store.claim("s");
  const exec = vi.spyOn(database, "exec");
  const stamp = { v: 1, at: 0, turn: 1 };
  const start = { type: "call-start", callId: "c", title: "Run it" } as const;
  await store.append("s", epoch, [{ ...start, does: "execute", ...stamp, seq: 1 }]);
  expect(exec.mock.calls.flat()).toEqual([
    "PRAGMA synchronous = FULL",
    "BEGIN IMMEDIATE",
    "COMMIT",
    "PRAGMA synchronous = NORMAL",
  ]);
  exec.mockClear();
  await store.append("s", epoch, [{ ...start, does: "read", ...stamp, seq: 2 }]);
  expect(exec.mock.calls.flat()).toEqual(["BEGIN IMMEDIATE", "COMMIT"]);
  await store.close();
});

test("keepFigures never waits for a lock, and an earlier version can still delete the session", async () => {
  const path = join(newDirectory(), "s.db");
  const store = openTestStore(path, { busyTimeoutMs: 600_000 });
  await store.create(info);
  const figures = new Map([[info.id, { seq: 1, text: "one" }]]);
  const writer = outsider(path);
  writer.exec("BEGIN IMMEDIATE");
  await expect(store.keepFigures(figures)).rejects.toThrow(StoreError);
  writer.exec("ROLLBACK");
  await store.keepFigures(figures);
  writer.exec(`PRAGMA foreign_keys = ON; DELETE FROM sessions WHERE id = '${info.id}'`); // as an earlier version does
  expect(writer.prepare("SELECT count(*) AS left FROM figures").get()).toEqual({ left: 0 });
  writer.close();
});
