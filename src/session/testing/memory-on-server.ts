/**
 * Stands in for the store in memory while TOOLWRIGHT_TEST_DATABASE keeps the sessions of tests on a server: its contents
 * are in an empty database of its own, which is being opened while it is already used.
 */

import { onTestFinished } from "vitest";
import { openPostgresStore } from "../postgres/postgres.ts";
import { borrowedDatabase } from "../postgres/testing/postgres.ts";
import type { Store } from "../store.ts";
import { WrappedStore } from "./wrapped-store.ts";

export function openMemoryStore(): Store {
  const opened = borrowedDatabase().then((address) => openPostgresStore(address));
  onTestFinished(async () => (await opened).close());
  return new WrappedStore(opened);
}
