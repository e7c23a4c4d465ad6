/** Tests the SQLite store in trouble: locked, full, read-only, damaged, or another program's file. */

import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { StoreError } from "../store.ts";
import { databaseFormat, openDatabase } from "./database.ts";
import { openSqliteStore, sqliteStore } from "./sqlite.ts";
import { newDirectory, outsider, note, info, withSession } from "./testing/sqlite.ts";

test("A41: a database locked by another program is reported, and works once it is unlocked", async () => {
  const path = join(newDirectory(), "s.db");
  const { store, epoch } = await withSession(path, { busyTimeoutMs: 1 });
  const other = outsider(path);
  other.exec("BEGIN EXCLUSIVE");
  const message = `The session database ${path} is locked by another program. Close that program, or try again in a moment.`;
  await expect(store.append(info.id, epoch, [note(1)])).rejects.toThrow(new StoreError(message));
  await expect(store.putBlob(new Uint8Array(1))).rejects.toThrow(StoreError);
  other.exec("COMMIT");
  await store.append(info.id, epoch, [note(1)]);
  expect(await store.read(info.id, 0)).toEqual([note(1)]);
});

test("opening waits no longer than its busy timeout", () => {
  const path = join(newDirectory(), "s.db");
  const other = outsider(path);
  other.exec("BEGIN EXCLUSIVE");
  expect(() => openSqliteStore(path, { busyTimeoutMs: 1 })).toThrow(/is locked by another program/);
});

test("a full disk is reported, stored facts stay readable, and a smaller append still succeeds", async () => {
  const path = join(newDirectory(), "s.db");
  const database = openDatabase(path, 0);
  database.exec("PRAGMA max_page_count = 40");
  const store = sqliteStore(database, path);
  onTestFinished(() => store.close());
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

test("a path where no directory can be created is reported", () => {
  expect(() => openSqliteStore("/proc/self/none/below/s.db")).toThrow(
    / cannot be opened \(ENOENT\)\. Check its path/u,
  );
});

test("a write to a read-only file is reported, and the file stays readable", async () => {
  const path = join(newDirectory(), "s.db");
  const { store, epoch } = await withSession(path);
  await store.append(info.id, epoch, [note(1)]);
  await store.close();
  // Opened read-only, as SQLite does by itself for a file without write permission (which root always has).
  const readOnly = sqliteStore(new DatabaseSync(path, { readOnly: true }), path);
  onTestFinished(() => readOnly.close());
  const message = `The session database ${path} may only be read. Make the file and its directory writable, then try again.`;
  await expect(readOnly.append(info.id, epoch, [note(2)])).rejects.toThrow(new StoreError(message));
  expect(await readOnly.read(info.id, 0)).toEqual([note(1)]);
});

test("A41: a file that is not a database, or a damaged one, is refused and left untouched", async () => {
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

test("a directory as the file and a file in the path are refused with the reason; an empty file is used", async () => {
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

test("A40: a full disk stores no partial image, and earlier images stay", async () => {
  const path = join(newDirectory(), "s.db");
  const database = openDatabase(path, 0);
  database.exec("PRAGMA max_page_count = 60");
  const store = sqliteStore(database, path);
  onTestFinished(() => store.close());
  await store.create(info);
  const hash = await store.keepImage(info.id, "ckpt_1", new Uint8Array([1]));
  await expect(store.keepImage(info.id, "ckpt_1", new Uint8Array(500_000))).rejects.toThrow(/disk is full/);
  expect(await store.image(info.id, hash)).toEqual(new Uint8Array([1]));
  expect(outsider(path).prepare("SELECT bytes FROM image_total").get()).toEqual({ bytes: 1 });
});

test("an unreadable measurement is ignored", async () => {
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

test("an unreadable fact does not prevent reading the others", async () => {
  const path = join(newDirectory(), "s.db");
  const { store, epoch } = await withSession(path);
  await store.append(info.id, epoch, [note(1), note(2), note(3)]);
  outsider(path).exec(`UPDATE facts SET entry = '{"type":"warn' WHERE seq = 2`);
  const [first, second, third] = await store.read(info.id, 0);
  expect([first, third]).toEqual([note(1), note(3)]);
  expect(second).toMatchObject({ type: "unknown", original: '{"type":"warn' });
});
