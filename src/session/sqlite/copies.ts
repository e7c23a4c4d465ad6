/** What SQLite has besides when a session is copied or removed. */

import type { DatabaseSync } from "node:sqlite";
import { encodeEntry } from "../../protocol/codec.ts";
import { deleteSession, type FactColumns } from "../tables/copies.ts";
import type { TableWork } from "../tables/work.ts";

export const factColumns: FactColumns = {
  names: ["seq", "entry"],
  valuesOf: (entry) => [entry.seq, encodeEntry(entry)],
};

/** False if there is no such session. Call within a transaction. Throws SessionHeld. */
export function* deleteWithWords(session: string): TableWork<boolean> {
  yield ["DELETE FROM said_words WHERE rowid IN (SELECT id FROM said WHERE session = $1)", [session]];
  return yield* deleteSession(session, tables, { triggers: true });
}

const tables = ["said", "facts", "open_blocks", "holders", "processes", "figures", "belongings", "shares"];

/** Deletions in `work` are overwritten with zeros in the file once it is written back. */
export function overwriting(database: DatabaseSync, work: () => void): void {
  database.exec("PRAGMA secure_delete = ON");
  try {
    work();
  } finally {
    database.exec("PRAGMA secure_delete = OFF");
  }
}

/** Writes all new data back to the file and empties the WAL; false while another program still needs the WAL. */
export const isWrittenBack = (database: DatabaseSync): boolean =>
  !database.isOpen || database.prepare("PRAGMA wal_checkpoint (TRUNCATE)").get()?.["busy"] !== 1;
