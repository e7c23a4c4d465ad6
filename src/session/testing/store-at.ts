/** The store of a test: the file at a path, or in its stead a database of the server that TOOLWRIGHT_TEST_DATABASE names. */

import { openPostgresStore } from "../postgres/postgres.ts";
import { databaseFor } from "../postgres/testing/server.ts";
import { openSqliteStore, type SqliteOptions } from "../sqlite/sqlite.ts";
import type { Store } from "../store.ts";

/** The address of that database; undefined without a server. */
export async function databaseAt(path: string): Promise<string | undefined> {
  const server = process.env["TOOLWRIGHT_TEST_DATABASE"];
  return server === undefined ? undefined : databaseFor(server, path);
}

export async function storeAt(path: string, options?: SqliteOptions): Promise<Store> {
  const database = await databaseAt(path);
  return database === undefined ? openSqliteStore(path, options) : openPostgresStore(database);
}
