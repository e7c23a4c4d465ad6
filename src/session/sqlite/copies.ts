/** Copies whole sessions in the database up to a fact, or removes them. Call within a transaction. */

import type { DatabaseSync } from "node:sqlite";
import { encodeEntry } from "../../protocol/codec.ts";
import type { Entry } from "../../protocol/facts.ts";
import { copyEntries, copiedOwners, titleAfter } from "../store-rules.ts";
import type { SessionInfo } from "../store.ts";
import { forgetSaid } from "./search.ts";

/** `entries`: the facts to copy, decoded. They are copied as stored, except those that `copied` changes. */
export function copySession(
  database: DatabaseSync,
  from: string,
  { to, entries }: { to: SessionInfo; entries: readonly Entry[] },
): void {
  const upTo = entries.length;
  const ours = copyEntries(entries, to);
  database
    .prepare(
      "INSERT INTO sessions (id, workspace, created_at, updated_at, facts, title) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(to.id, to.workspace, to.createdAt, to.createdAt, ours.length, titleAfter("", entries));
  database
    .prepare(
      "INSERT INTO facts (session, seq, entry) SELECT ?, seq, entry FROM facts WHERE session = ? AND seq <= ?",
    )
    .run(to.id, from, upTo);
  const put = database.prepare("INSERT OR REPLACE INTO facts (session, seq, entry) VALUES (?, ?, ?)");
  for (const entry of ours)
    if (entry.type === "session-start" || entry.seq > upTo) put.run(to.id, entry.seq, encodeEntry(entry));
  copyImages(database, from, { to, entries });
}

/** Copies the images that undo of the copied turns needs. */
function copyImages(
  database: DatabaseSync,
  from: string,
  { to, entries }: { to: SessionInfo; entries: readonly Entry[] },
): void {
  const copy = database.prepare(
    "INSERT OR IGNORE INTO image_owners (session, owner, hash, kept) SELECT ?, ?, hash, kept FROM image_owners WHERE session = ? AND owner = ?",
  );
  for (const [owner, ours] of copiedOwners(entries, to)) copy.run(to.id, ours, from, owner);
}

/** `BlobTable` handles the session's blobs; triggers drop images that no other session needs. */
export function deleteRows(database: DatabaseSync, session: string): void {
  forgetSaid(database, session);
  for (const table of [
    "facts",
    "open_blocks",
    "image_owners",
    "holders",
    "processes",
    "figures",
    "belongings",
    "shares",
  ])
    database.prepare(`DELETE FROM ${table} WHERE session = ?`).run(session);
  database.prepare("UPDATE sessions SET parent = NULL WHERE parent = ?").run(session);
  database.prepare("UPDATE belongings SET tree = session WHERE tree = ?").run(session);
  database.prepare("DELETE FROM sessions WHERE id = ?").run(session);
}

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
