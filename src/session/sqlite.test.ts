import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test, vi } from "vitest";
import { factVersion, type Entry } from "../protocol/facts.ts";
import { openSqliteStore, SqliteStore } from "./sqlite.ts";
import { ownOwner } from "./owner.ts";
import { databaseFormat, migrations, openDatabase } from "./sqlite-database.ts";
import { imageContract } from "./store-contract-images.ts";
import { listContract } from "./store-contract-lists.ts";
import { ownerContract } from "./store-contract-owners.ts";
import { peopleContract } from "./store-contract-people.ts";
import { storeContract } from "./store-contract.ts";
import { StoreError } from "./store.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "store-"));
  cleanUps.push(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function opened(path: string, busyTimeoutMs?: number, maxImageBytes?: number): SqliteStore {
  const store = openSqliteStore(path, {
    ...(busyTimeoutMs === undefined ? {} : { busyTimeoutMs }),
    ...(maxImageBytes === undefined ? {} : { maxImageBytes }),
  });
  cleanUps.push(() => store.close());
  return store;
}

/** A plain connection of "another program". */
function outsider(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  cleanUps.push(() => database.isOpen && database.close());
  return database;
}

const note = (seq: number, text = "note"): Entry => ({
  type: "warning",
  code: "test",
  text,
  v: factVersion,
  seq,
  at: 1000 + seq,
  turn: 0,
});
const info = { id: "s1", workspace: "/w", createdAt: 1000 };

async function withSession(
  path: string,
  busyTimeoutMs?: number,
): Promise<{ store: SqliteStore; epoch: number }> {
  const store = opened(path, busyTimeoutMs);
  await store.create(info);
  return { store, epoch: await store.claim(info.id) };
}

const both = async (): Promise<[SqliteStore, SqliteStore]> => {
  const path = join(newDirectory(), "sessions.db");
  return [opened(path), opened(path)];
};
storeContract("sqlite", both);
ownerContract("sqlite", both);
peopleContract("sqlite", both);
listContract("sqlite", both);

imageContract("sqlite", async (maxImageBytes) => {
  const path = join(newDirectory(), "sessions.db");
  return [opened(path, undefined, maxImageBytes), opened(path, undefined, maxImageBytes)];
});

test("the directory and the file are made for their owner alone, and everything is there after a reopening", async () => {
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

  const again = opened(path);
  expect(await again.read(info.id, 0)).toEqual([note(1), note(2, "x".repeat(50_000))]);
  expect(await again.openBlock(info.id)).toEqual({ block: 1, kind: "text", text: "half a th" });
  expect(await again.claim(info.id)).toBe(epoch + 1);
});

test("long texts lie in the file once, however often they are said", async () => {
  const path = join(newDirectory(), "s.db");
  const { store, epoch } = await withSession(path);
  const long = "long ".repeat(200_000);
  const entries = [1, 2, 3, 4, 5].map((seq) => note(seq, long));
  await store.append(info.id, epoch, entries);
  const sizes = outsider(path).prepare("SELECT length(bytes) AS bytes FROM blobs").all();
  expect(sizes.map(({ bytes }) => bytes)).toEqual([1_000_000]);
  expect(await store.read(info.id, 0)).toEqual(entries);
});

test("A41: a database that another program holds locked is reported, and works once it is free", async () => {
  const path = join(newDirectory(), "s.db");
  const { store, epoch } = await withSession(path, 1);
  const other = outsider(path);
  other.exec("BEGIN EXCLUSIVE");
  const message = `The session database ${path} is locked by another program. Close that program, or try again in a moment.`;
  await expect(store.append(info.id, epoch, [note(1)])).rejects.toThrow(new StoreError(message));
  await expect(store.putBlob(new Uint8Array(1))).rejects.toThrow(StoreError);
  other.exec("COMMIT");
  await store.append(info.id, epoch, [note(1)]);
  expect(await store.read(info.id, 0)).toEqual([note(1)]);
});

test("opening waits for nothing longer than it was told", () => {
  const path = join(newDirectory(), "s.db");
  const other = outsider(path);
  other.exec("BEGIN EXCLUSIVE");
  expect(() => openSqliteStore(path, { busyTimeoutMs: 1 })).toThrow(/is locked by another program/);
});

test("a full disk is reported, what was stored stays readable, and a smaller append still goes in", async () => {
  const path = join(newDirectory(), "s.db");
  const database = openDatabase(path, 0);
  database.exec("PRAGMA max_page_count = 40");
  const store = new SqliteStore(database, path);
  cleanUps.push(() => store.close());
  await store.create(info);
  const epoch = await store.claim(info.id);
  await store.append(info.id, epoch, [note(1)]);
  const message = `The session database ${path} cannot grow: the disk is full. Free some space, then try again.`;
  const big = [note(2), note(3, "x".repeat(500_000))];
  await expect(store.append(info.id, epoch, big)).rejects.toThrow(new StoreError(message));
  expect(await store.read(info.id, 0)).toEqual([note(1)]);
  await store.append(info.id, epoch, [note(2)]);
  expect(await store.read(info.id, 1)).toEqual([note(2)]);
});

test("a file that may only be read is reported", async () => {
  const path = join(newDirectory(), "s.db");
  const { store, epoch } = await withSession(path);
  await store.append(info.id, epoch, [note(1)]);
  await store.close();
  // Opened for reading only, as SQLite does by itself for a file without write permission (root has always that).
  const readOnly = new SqliteStore(new DatabaseSync(path, { readOnly: true }), path);
  cleanUps.push(() => readOnly.close());
  const message = `The session database ${path} may only be read. Make the file and its directory writable, then try again.`;
  await expect(readOnly.append(info.id, epoch, [note(2)])).rejects.toThrow(new StoreError(message));
  expect(await readOnly.read(info.id, 0)).toEqual([note(1)]);
});

test("A41: a file that is no database, and one that is damaged, are refused and left untouched", async () => {
  const directory = newDirectory();
  const garbage = join(directory, "garbage.db");
  writeFileSync(garbage, "these are not pages ".repeat(1000));
  const before = readFileSync(garbage);
  expect(() => openSqliteStore(garbage)).toThrow(
    new StoreError(
      `The session database ${garbage} is not a database; it was left as it is. Move the file away to start with an empty one.`,
    ),
  );
  expect(readFileSync(garbage)).toEqual(before);

  const damaged = join(directory, "damaged.db");
  await openSqliteStore(damaged).close();
  const bytes = readFileSync(damaged);
  bytes.fill(0xff, 100, 4096);
  writeFileSync(damaged, bytes);
  expect(() => openSqliteStore(damaged)).toThrow(/is damaged; it was left as it is/);
  expect(readFileSync(damaged)).toEqual(bytes);
});

test("a directory in its place, a file in its path and an empty file each get the right answer", async () => {
  const directory = newDirectory();
  const taken = join(directory, "taken.db");
  mkdirSync(taken);
  expect(() => openSqliteStore(taken)).toThrow(/cannot be opened\. Check that it is a file/);

  const file = join(directory, "file");
  writeFileSync(file, "x");
  expect(() => openSqliteStore(join(file, "s.db"))).toThrow(/a part of its path is a file/);
  expect(() => openSqliteStore(join(file, "deeper", "s.db"))).toThrow(/a part of its path is a file/);

  const empty = join(directory, "empty.db");
  writeFileSync(empty, "");
  chmodSync(empty, 0o640);
  await withSession(empty);
  expect(statSync(empty).mode & 0o777).toBe(0o640);
});

test("A41: a database of a newer version is refused and left untouched", async () => {
  const path = join(newDirectory(), "s.db");
  await (await withSession(path)).store.close();
  const newer = outsider(path);
  newer.exec(
    `PRAGMA journal_mode = DELETE; PRAGMA user_version = ${databaseFormat + 1}; CREATE TABLE of_the_future (x)`,
  );
  newer.close();
  const before = readFileSync(path);
  expect(() => openSqliteStore(path)).toThrow(
    new StoreError(
      `The session database ${path} was written by a newer version (format ${databaseFormat + 1}, this one knows ${databaseFormat}). Update this program; nothing was changed.`,
    ),
  );
  expect(readFileSync(path)).toEqual(before);
  expect(existsSync(`${path}-wal`)).toBe(false);
});

test("another program's database is refused and left untouched", () => {
  const path = join(newDirectory(), "s.db");
  const theirs = outsider(path);
  theirs.exec("CREATE TABLE bookmarks (url TEXT)");
  theirs.close();
  const before = readFileSync(path);
  expect(() => openSqliteStore(path)).toThrow(/is another program's database; nothing was changed/);
  expect(readFileSync(path)).toEqual(before);
});

test("a database that the first version made is opened: released migrations are never edited", async () => {
  const path = join(newDirectory(), "s.db");
  const first = outsider(path);
  first.exec(`
    CREATE TABLE sessions (id TEXT PRIMARY KEY, workspace TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
      facts INTEGER NOT NULL DEFAULT 0, title TEXT NOT NULL DEFAULT '', epoch INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE facts (session TEXT NOT NULL REFERENCES sessions (id), seq INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (session, seq)) STRICT;
    CREATE TABLE open_blocks (session TEXT PRIMARY KEY REFERENCES sessions (id), block INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL) STRICT;
    CREATE TABLE blobs (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
    INSERT INTO sessions VALUES ('s1', '/w', 1000, 1001, 1, 'Hello', 4);
    INSERT INTO facts VALUES ('s1', 1, '{"type":"warning","code":"test","text":{"$blob":"b1"},"v":1,"seq":1,"at":1001,"turn":0}');
    INSERT INTO open_blocks VALUES ('s1', 2, 'text', '"half"');
    INSERT INTO blobs VALUES ('b1', CAST('a long text' AS BLOB));
    PRAGMA user_version = 1;
  `);
  first.close();
  const store = opened(path);
  expect(await store.list()).toEqual([{ ...info, updatedAt: 1001, facts: 1, title: "Hello" }]);
  expect(await store.read("s1", 0)).toEqual([note(1, "a long text")]);
  expect(await store.openBlock("s1")).toEqual({ block: 2, kind: "text", text: "half" });
  await store.append("s1", await store.claim("s1"), [note(2)]);
  const model = { server: "http://box", model: "m", template: "" };
  await store.addCounts(model, "native", { calls: 1, repairs: 0, refusals: 0 });
  expect(await store.dialectsOf(model)).toHaveLength(1);
  expect(await store.image("s1", "b1")).toEqual(new TextEncoder().encode("a long text"));
  await store.dropImages("s1", await store.keepImage("s1", "ckpt_1", new Uint8Array(3)));
});

test.each(migrations.map((_, at) => at + 1))(
  "a database of format %i is brought up to date",
  async (format) => {
    const path = join(newDirectory(), "s.db");
    const earlier = outsider(path);
    for (const step of migrations.slice(0, format)) earlier.exec(step);
    earlier.exec(`
    INSERT INTO sessions (id, workspace, created_at, updated_at, facts, title, epoch) VALUES ('s1', '/w', 1000, 1001, 1, 'Hello', 4);
    INSERT INTO facts VALUES ('s1', 1, '${JSON.stringify(note(1))}');
    PRAGMA user_version = ${format};
  `);
    earlier.close();
    const store = opened(path);
    const epoch = await store.claim(info.id, { owner: ownOwner() });
    expect(epoch).toBe(5);
    await store.append(info.id, epoch, [note(2)]);
    expect(await store.read(info.id, 0)).toEqual([note(1), note(2)]);
    await store.keepImage(info.id, "ckpt_1", new Uint8Array(3));
    await store.release(info.id, epoch);
    await store.delete(info.id);
    expect(await store.list()).toEqual([]);
  },
);

test("a session of an earlier version is searched, copied and deleted like any other, with the contents it names", async () => {
  const path = join(newDirectory(), "s.db");
  const [own, shared, image] = ["a", "b", "c"].map((letter) => letter.repeat(64));
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
    INSERT INTO blobs SELECT hash, CAST('needle ' || hash AS BLOB)
      FROM (SELECT '${own}' AS hash UNION SELECT '${shared}' UNION SELECT '${image}');
    PRAGMA user_version = 1;
  `);
  first.close();
  const store = opened(path);
  expect((await store.search("needle", 9)).map(({ id }) => id)).toEqual(["s2", "s1"]);
  await store.copy("s1", { id: "s3", workspace: "/w", createdAt: 3000 }, 2);
  await store.delete("s1");
  const blobs = outsider(path).prepare("SELECT hash FROM blobs ORDER BY hash");
  expect(blobs.all().map(({ hash }) => hash)).toEqual([own, shared]);
  expect((await store.search("hello needle", 9)).map(({ id }) => id)).toEqual(["s3"]);
  await store.delete("s3");
  await store.delete("s2");
  expect(blobs.all()).toEqual([]);
  const tables = ["facts", "said", "said_words", "blob_users", "loose_blobs", "holders", "processes"];
  for (const table of tables) expect(outsider(path).prepare(`SELECT * FROM ${table}`).all()).toEqual([]);
});

test("what was deleted cannot be read from the file any more", async () => {
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

test("A40: a full disk keeps no half of an image, and what was kept before stays", async () => {
  const path = join(newDirectory(), "s.db");
  const database = openDatabase(path, 0);
  database.exec("PRAGMA max_page_count = 60");
  const store = new SqliteStore(database, path);
  cleanUps.push(() => store.close());
  await store.create(info);
  const hash = await store.keepImage(info.id, "ckpt_1", new Uint8Array([1]));
  await expect(store.keepImage(info.id, "ckpt_1", new Uint8Array(500_000))).rejects.toThrow(/disk is full/);
  expect(await store.image(info.id, hash)).toEqual(new Uint8Array([1]));
  expect(outsider(path).prepare("SELECT bytes FROM image_total").get()).toEqual({ bytes: 1 });
});

test("a measurement that cannot be read was never made", async () => {
  const path = join(newDirectory(), "s.db");
  const { store } = await withSession(path);
  const model = { server: "http://box", model: "m", template: "" };
  await store.addCounts(model, "native", { calls: 1, repairs: 0, refusals: 0 });
  for (const text of ['{"tasks":', "[]", '{"tasks":"many"}']) {
    outsider(path).prepare("UPDATE dialects SET measured = ?").run(text);
    expect(await store.dialectsOf(model)).toEqual([
      { dialect: "native", counts: { calls: 1, repairs: 0, refusals: 0 } },
    ]);
  }
});

test("a fact that cannot be read does not keep the others from being read", async () => {
  const path = join(newDirectory(), "s.db");
  const { store, epoch } = await withSession(path);
  await store.append(info.id, epoch, [note(1), note(2), note(3)]);
  outsider(path).exec(`UPDATE facts SET entry = '{"type":"warn' WHERE seq = 2`);
  const [first, second, third] = await store.read(info.id, 0);
  expect([first, third]).toEqual([note(1), note(3)]);
  expect(second).toMatchObject({ type: "unknown", original: '{"type":"warn' });
});

test("what is about to reach out is known after a power cut too; the rest does not wait for the disk", async () => {
  const database = openDatabase(join(newDirectory(), "a.db"), 1000);
  const store = new SqliteStore(database, "a.db");
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

test("what can be worked out again is never waited for, and no earlier version is in its way", async () => {
  const path = join(newDirectory(), "s.db");
  const store = opened(path, 600_000);
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
