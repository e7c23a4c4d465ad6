/** Finds which blobs the sessions of earlier versions need, which wrote no rows about that. */

import type { DatabaseSync } from "node:sqlite";
import { hashesIn } from "../store-rules.ts";
import { addUser } from "../tables/blobs.ts";
import { perform, type SyncSql } from "./statements.ts";

/** Sessions for which `learnBlobs` must still be called. */
export const unknownBlobs = (sql: SyncSql): string[] =>
  sql("SELECT id FROM sessions WHERE blobs_known < facts").map((row) => String(row["id"]));

/** Call within a transaction. */
export function learnBlobs(database: DatabaseSync, sql: SyncSql, session: string): void {
  const facts = database.prepare(
    `SELECT entry FROM facts WHERE session = ?1
     AND seq > (SELECT blobs_known FROM sessions WHERE id = ?1) ORDER BY seq`,
  );
  for (const row of facts.iterate(session))
    perform(sql, addUser(session, [...hashesIn(String(row["entry"]))]));
  sql("UPDATE sessions SET blobs_known = facts WHERE id = $1", [session]);
}
