/** SQLite stores for tests: each in its own directory, removed after its test. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";
import { factVersion, type Entry } from "../../../protocol/facts.ts";
import type { Store } from "../../store.ts";
import { openSqliteStore, type SqliteOptions } from "../sqlite.ts";

export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "store-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A store that is closed after its test. */
export function openTestStore(path: string, options?: SqliteOptions): Store {
  const store = openSqliteStore(path, options);
  onTestFinished(() => store.close());
  return store;
}

/** A plain connection that plays "another program". */
export function outsider(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  return database;
}

export const note = (seq: number, text = "note"): Entry => ({
  type: "warning",
  code: "test",
  text,
  v: factVersion,
  seq,
  at: 1000 + seq,
  turn: 0,
});

export const info = { id: "s1", workspace: "/w", createdAt: 1000 };

/** A store with one session, claimed by this process. */
export async function withSession(
  path: string,
  options?: SqliteOptions,
): Promise<{ store: Store; epoch: number }> {
  const store = openTestStore(path, options);
  await store.create(info);
  return { store, epoch: await store.claim(info.id) };
}
