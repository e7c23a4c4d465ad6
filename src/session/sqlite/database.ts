/**
 * Opens the SQLite file safely, migrates it, and turns its errors into helpful messages. It is not checked in full, which
 * takes seconds per gigabyte: SQLite detects damage in the pages that it reads.
 */

import { DatabaseSync } from "node:sqlite";
import { failpoint } from "../../base/failpoint.ts";
import { isObject } from "../../base/json.ts";
import { createPrivateFile } from "../../base/safe-fs/own-files.ts";
import { StoreError } from "../store.ts";

/** Step n migrates a database from format n to format n + 1 (`user_version`). Never edit a released step: add one. */
export const migrations: readonly string[] = [
  `CREATE TABLE sessions (
     id TEXT PRIMARY KEY,
     workspace TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL,
     facts INTEGER NOT NULL DEFAULT 0,
     title TEXT NOT NULL DEFAULT '',
     epoch INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE TABLE facts (
     session TEXT NOT NULL REFERENCES sessions (id),
     seq INTEGER NOT NULL,
     entry TEXT NOT NULL,
     PRIMARY KEY (session, seq)
   ) STRICT;
   CREATE TABLE open_blocks (
     session TEXT PRIMARY KEY REFERENCES sessions (id),
     block INTEGER NOT NULL,
     kind TEXT NOT NULL,
     text TEXT NOT NULL
   ) STRICT;
   CREATE TABLE blobs (
     hash TEXT PRIMARY KEY,
     bytes BLOB NOT NULL
   ) STRICT;`,
  `CREATE TABLE dialects (
     server TEXT NOT NULL,
     model TEXT NOT NULL,
     template TEXT NOT NULL,
     dialect TEXT NOT NULL,
     calls INTEGER NOT NULL DEFAULT 0,
     repairs INTEGER NOT NULL DEFAULT 0,
     refusals INTEGER NOT NULL DEFAULT 0,
     measured TEXT,
     PRIMARY KEY (server, model, template, dialect)
   ) STRICT;`,
  `CREATE TABLE images (
     hash TEXT PRIMARY KEY,
     size INTEGER NOT NULL,
     bytes BLOB NOT NULL
   ) STRICT;
   CREATE TABLE image_owners (
     session TEXT NOT NULL REFERENCES sessions (id),
     owner TEXT NOT NULL,
     hash TEXT NOT NULL REFERENCES images (hash),
     kept INTEGER NOT NULL,
     PRIMARY KEY (session, owner, hash)
   ) STRICT;
   CREATE INDEX image_owners_by_hash ON image_owners (hash);
   CREATE INDEX image_owners_by_age ON image_owners (kept);
   CREATE TABLE image_total (bytes INTEGER NOT NULL) STRICT;
   INSERT INTO image_total VALUES (0);
   CREATE TRIGGER image_kept AFTER INSERT ON images BEGIN
     UPDATE image_total SET bytes = bytes + new.size;
   END;
   CREATE TRIGGER image_dropped AFTER DELETE ON images BEGIN
     UPDATE image_total SET bytes = bytes - old.size;
   END;
   CREATE TRIGGER image_disowned AFTER DELETE ON image_owners BEGIN
     DELETE FROM images
     WHERE hash = old.hash AND NOT EXISTS (SELECT 1 FROM image_owners WHERE hash = old.hash);
   END;`,
  // `blobs_known`, `searched`: the fact up to which the session's rows in `blob_users` and `said` are complete. A
  // process of an earlier version that is still running adds facts without those rows.
  `ALTER TABLE sessions ADD COLUMN blobs_known INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE sessions ADD COLUMN searched INTEGER NOT NULL DEFAULT 0;
   CREATE TABLE holders (
     session TEXT PRIMARY KEY REFERENCES sessions (id),
     program TEXT NOT NULL,
     pid INTEGER NOT NULL,
     started TEXT NOT NULL,
     boot TEXT NOT NULL,
     space TEXT NOT NULL,
     host TEXT NOT NULL,
     since INTEGER NOT NULL,
     renewed INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE processes (
     session TEXT NOT NULL REFERENCES sessions (id),
     marker TEXT NOT NULL,
     pid INTEGER NOT NULL,
     started TEXT NOT NULL,
     by_pid INTEGER NOT NULL,
     by_started TEXT NOT NULL,
     boot TEXT NOT NULL,
     space TEXT NOT NULL,
     host TEXT NOT NULL,
     reach TEXT NOT NULL,
     what TEXT NOT NULL,
     PRIMARY KEY (session, marker)
   ) STRICT;
   CREATE TABLE blob_users (
     hash TEXT NOT NULL,
     session TEXT NOT NULL REFERENCES sessions (id),
     PRIMARY KEY (hash, session)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX blob_users_by_session ON blob_users (session);
   CREATE TABLE loose_blobs (hash TEXT NOT NULL, kept INTEGER NOT NULL) STRICT;
   CREATE INDEX loose_blobs_by_hash ON loose_blobs (hash);
   CREATE TABLE said (
     id INTEGER PRIMARY KEY,
     session TEXT NOT NULL REFERENCES sessions (id),
     seq INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX said_by_session ON said (session);
   CREATE VIRTUAL TABLE said_words
     USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');`,
  // A process of an earlier version that is still running deletes sessions without knowing this table.
  `CREATE TABLE figures (
     session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
     seq INTEGER NOT NULL,
     text TEXT NOT NULL
   ) STRICT;`,
  `ALTER TABLE sessions ADD COLUMN parent TEXT;
   CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent IS NOT NULL;`,
  // `tree`: the session that people share, where this one was started by its calls.
  `CREATE TABLE belongings (
     session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
     tenant TEXT NOT NULL,
     person TEXT NOT NULL,
     tree TEXT NOT NULL
   ) STRICT;
   CREATE INDEX belongings_by_tenant ON belongings (tenant, person);
   CREATE TABLE shares (
     session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
     person TEXT NOT NULL,
     "right" TEXT NOT NULL,
     PRIMARY KEY (session, person)
   ) STRICT;
   CREATE TABLE team (
     kind TEXT NOT NULL,
     id TEXT NOT NULL,
     text TEXT NOT NULL,
     PRIMARY KEY (kind, id)
   ) STRICT;`,
];

/** The format this program writes. */
export const databaseFormat = migrations.length;

/**
 * Opens or creates the file (mode 0600, directories 0700) and migrates it; throws StoreError. Existing contents are
 * never deleted or replaced, however damaged (A41).
 */
export function openDatabase(path: string, busyTimeoutMs: number): DatabaseSync {
  return withExplanation(path, () => {
    createPrivateFile(path);
    const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
    try {
      refuseForeign(database, path);
      refuseNewer(database, path);
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
      migrate(database, path);
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  });
}

/** A new one that this connection alone has. */
export function openDatabaseInMemory(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  migrate(database, "in memory");
  return database;
}

/** Runs `work` in one write transaction: all or nothing. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const value = work();
    database.exec("COMMIT");
    return value;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK"); // a full disk has rolled back already
    throw error;
  }
}

/** Runs `work` and turns errors that a person can act on into a StoreError. */
export function withExplanation<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explanation(path, error);
  }
}

export async function explainedLater<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explanation(path, error);
  }
}

function explanation(path: string, error: unknown): unknown {
  const advice = error instanceof StoreError ? undefined : adviceFor(error);
  if (advice === undefined) return error;
  return new StoreError(`The session database ${path} ${advice}`, { cause: error });
}

function refuseForeign(database: DatabaseSync, path: string): void {
  // This order matters: another process that migrates in between sets both at once.
  const isUsed = database.prepare("SELECT 1 FROM sqlite_schema").get() !== undefined;
  if (!isUsed || formatOf(database) > 0) return;
  throw new StoreError(
    `The file ${path} is another program's database; nothing was changed. Choose another place for the session database.`,
  );
}

function refuseNewer(database: DatabaseSync, path: string): void {
  const format = formatOf(database);
  if (format <= databaseFormat) return;
  throw new StoreError(
    `The session database ${path} was written by a newer version (format ${format}, this one knows ${databaseFormat}). Update this program; nothing was changed.`,
  );
}

/** Throws StoreError if the tables are not those of this version any more. */
export function requireFormat(database: DatabaseSync, path: string): void {
  refuseNewer(database, path);
  if (formatOf(database) === databaseFormat) return;
  throw new StoreError(`The session database ${path} is an older one meanwhile: start this program again.`);
}

function migrate(database: DatabaseSync, path: string): void {
  if (formatOf(database) === databaseFormat) return;
  transaction(database, () => {
    refuseNewer(database, path); // another process may have migrated first
    for (const step of migrations.slice(formatOf(database))) {
      database.exec(step);
      failpoint("migrating");
    }
    database.exec(`PRAGMA user_version = ${databaseFormat}`);
  });
}

function formatOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}

/** By SQLite's primary result code, or by an extended one (https://www.sqlite.org/rescode.html). */
const sqliteAdvice: ReadonlyMap<number, string> = new Map([
  [5, "is locked by another program. Close that program, or try again in a moment."],
  [6, "is locked by another program. Close that program, or try again in a moment."],
  [8, "may only be read. Make the file and its directory writable, then try again."],
  [10, "could not be read or written. Check the disk, then try again."],
  [11, "is damaged; it was left as it is. Restore a copy, or move the file away to start with an empty one."],
  [13, "cannot grow: the disk is full. Free some space, then try again."],
  [14, "cannot be opened. Check that it is a file, in a directory that you may write to."],
  [26, "is not a database; it was left as it is. Move the file away to start with an empty one."],
  [4874, "cannot grow: the disk is full. Free some space, then try again."], // SQLITE_IOERR_SHMSIZE: its shared memory
]);

/** A table, row or number is not as this program leaves it. */
const oddAdvice =
  "is damaged, or another program has changed it; it was left as it is. Restore a copy, or move the file away to start with an empty one.";

const fileAdvice: ReadonlyMap<string, string> = new Map([
  ["EACCES", "cannot be opened: permission denied. Make its directory writable for you."],
  ["EPERM", "cannot be opened: permission denied. Make its directory writable for you."],
  ["EROFS", "cannot be created: the disk may only be read. Choose another place for it."],
  ["ENOSPC", "cannot be created: the disk is full. Free some space, then try again."],
  ["ENOTDIR", "cannot be created: a part of its path is a file. Choose another place for it."],
  ["EEXIST", "cannot be created: a part of its path is a file. Choose another place for it."],
  ["EMFILE", "cannot be opened: too many files are open. Close something, then try again."],
  ["ENFILE", "cannot be opened: too many files are open. Close something, then try again."],
]);

function adviceFor(error: unknown): string | undefined {
  if (!isObject(error)) return undefined;
  const { code, errcode } = error;
  if (code === "ERR_SQLITE_ERROR" && typeof errcode === "number")
    return sqliteAdvice.get(errcode) ?? sqliteAdvice.get(errcode & 0xff) ?? oddAdvice;
  if (code === "ERR_OUT_OF_RANGE") return oddAdvice; // a number that no program of ours has written
  if (typeof code !== "string" || !("syscall" in error)) return undefined;
  return fileAdvice.get(code) ?? `cannot be opened (${code}). Check its path and its disk, then try again.`;
}
