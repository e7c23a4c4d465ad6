/** The statements about a session and its facts, prepared once. */

import type { DatabaseSync, StatementSync } from "node:sqlite";

export function prepareStatements(database: DatabaseSync) {
  const sql = (text: string): StatementSync => database.prepare(text);
  return {
    create: sql(
      "INSERT INTO sessions (id, workspace, created_at, updated_at, parent) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    ),
    get: sql("SELECT * FROM sessions WHERE id = ?"),
    claim: sql("UPDATE sessions SET epoch = epoch + 1 WHERE id = ? RETURNING epoch"),
    owner: sql("SELECT epoch, facts, title, updated_at FROM sessions WHERE id = ?"),
    append: sql("INSERT INTO facts (session, seq, entry) VALUES (?, ?, ?)"),
    touch: sql(`UPDATE sessions SET updated_at = ?1, facts = ?2, title = ?3,
         blobs_known = CASE WHEN blobs_known = ?4 THEN ?2 ELSE blobs_known END WHERE id = ?5`),
    fact: sql("SELECT entry FROM facts WHERE session = ? AND seq = ?"),
    next: sql("SELECT 1 FROM facts WHERE session = ? AND seq > ? LIMIT 1"),
    read: sql("SELECT seq, entry FROM facts WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?"),
  };
}

/** Prepares each statement when it is first needed. */
export function preparedOnce(database: DatabaseSync): (text: string) => StatementSync {
  const prepared = new Map<string, StatementSync>();
  return (text) => {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
}
