/** A store that nobody keeps: a database in the memory of this process, gone when it is closed. */

import type { Store } from "../store.ts";
import { openDatabaseInMemory } from "./database.ts";
import { sqliteStore } from "./sqlite.ts";

/** A store that keeps everything in memory: for tests, and for programs without persistent sessions. @experimental */
export const openMemoryStore = (): Store => sqliteStore(openDatabaseInMemory(), "in memory");
