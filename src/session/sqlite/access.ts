/** The way to one SQLite file: who reads or changes it waits for other processes, and hears what is wrong with it. */

import type { DatabaseSync } from "node:sqlite";
import type { TableAccess } from "../tables/work.ts";
import { explainedLater, transaction, withExplanation } from "./database.ts";
import { WriteQueue } from "./patience.ts";
import { perform, type SyncSql, statementsOf } from "./statements.ts";

export class FileAccess implements TableAccess {
  readonly database: DatabaseSync;
  /** For messages. */
  readonly path: string;
  readonly sql: SyncSql;
  readonly #patience: WriteQueue;

  constructor(database: DatabaseSync, path: string, busyTimeoutMs: number) {
    database.exec("PRAGMA busy_timeout = 0"); // SQLite's own waiting would block the whole process
    this.database = database;
    this.path = path;
    this.sql = statementsOf(database);
    this.#patience = new WriteQueue(busyTimeoutMs);
  }

  readonly read: TableAccess["read"] = (work) => this.runRead(() => perform(this.sql, work()));
  readonly write: TableAccess["write"] = (_session, work) =>
    this.runWrite(() => perform(this.sql, work(false)));
  readonly change: TableAccess["change"] = (_session, work) =>
    this.runTransaction(() => perform(this.sql, work(false)));

  runRead<Value>(work: () => Value): Promise<Value> {
    return explainedLater(this.path, () => this.#patience.read(work));
  }

  runWrite<Value>(work: () => Value): Promise<Value> {
    return explainedLater(this.path, () => this.#patience.write(work));
  }

  runTransaction<Value>(work: () => Value): Promise<Value> {
    return this.runWrite(() => transaction(this.database, work));
  }

  /** Like `runTransaction`, but durable after a power cut: it waits for the disk. */
  runDurably<Value>(work: () => Value): Promise<Value> {
    return this.runWrite(() => {
      this.database.exec("PRAGMA synchronous = FULL");
      try {
        return transaction(this.database, work);
      } finally {
        this.database.exec("PRAGMA synchronous = NORMAL");
      }
    });
  }

  /** Repeats it until it is true, at most as long as a write would wait. */
  async until(work: () => boolean): Promise<void> {
    await this.#patience.until(() => withExplanation(this.path, work));
  }

  async close(): Promise<void> {
    await this.#patience.settled();
    if (this.database.isOpen) withExplanation(this.path, () => this.database.close());
  }
}
