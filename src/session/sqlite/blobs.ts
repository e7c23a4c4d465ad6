/**
 * The blobs table, and which sessions need each blob. A blob is needed by each session with a fact that names its hash,
 * and for a day after it was stored for a fact still to come; it is dropped with its last user.
 */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { sha256 } from "../../base/crypto.ts";
import { hashesIn, looseMs } from "../store-rules.ts";
import type { Hash } from "../store.ts";

export class BlobTable {
  readonly #database: DatabaseSync;
  readonly #put: StatementSync;
  readonly #get: StatementSync;
  readonly #use: StatementSync;
  readonly #tie: StatementSync;
  readonly #loosen: StatementSync;

  constructor(database: DatabaseSync) {
    const sql = (text: string): StatementSync => database.prepare(text);
    this.#database = database;
    this.#put = sql("INSERT INTO blobs (hash, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING");
    this.#get = sql("SELECT bytes FROM blobs WHERE hash = ?");
    this.#use = sql(
      "INSERT OR IGNORE INTO blob_users (hash, session) SELECT hash, ?2 FROM blobs WHERE hash = ?1",
    );
    this.#tie = sql(
      "DELETE FROM loose_blobs WHERE rowid = (SELECT rowid FROM loose_blobs WHERE hash = ? ORDER BY rowid LIMIT 1)",
    );
    this.#loosen = sql("INSERT INTO loose_blobs (hash, kept) VALUES (?, ?)");
  }

  put(hash: Hash, bytes: Uint8Array): void {
    this.#put.run(hash, bytes);
  }

  /** For a fact that will name it. Call within a transaction. */
  putLoose(hash: Hash, bytes: Uint8Array, now: number): void {
    this.#put.run(hash, bytes);
    this.#loosen.run(hash, now);
  }

  /** A blob damaged on disk counts as missing. */
  get(hash: Hash): Uint8Array | undefined {
    const bytes = this.#get.get(hash)?.["bytes"];
    return bytes instanceof Uint8Array && sha256(bytes) === hash ? bytes : undefined;
  }

  /** Records the blobs a fact of the session names; `text` is the fact as stored. */
  use(session: string, text: string): void {
    for (const hash of hashesIn(text)) {
      this.#use.run(hash, session);
      this.#tie.run(hash);
    }
  }

  /** Finds the blobs named by facts that earlier versions wrote. Call within a transaction. */
  learn(session: string): void {
    const rows = this.#database.prepare(
      `SELECT entry FROM facts WHERE session = ?1
       AND seq > (SELECT blobs_known FROM sessions WHERE id = ?1) ORDER BY seq`,
    );
    for (const row of rows.iterate(session))
      for (const hash of hashesIn(String(row["entry"]))) this.#use.run(hash, session);
    this.#database.prepare("UPDATE sessions SET blobs_known = facts WHERE id = ?").run(session);
  }

  /** Sessions for which `learn` must still be called. */
  unknown(): string[] {
    const rows = this.#database.prepare("SELECT id FROM sessions WHERE blobs_known < facts").all();
    return rows.map((row) => String(row["id"]));
  }

  /** Removes the session as a user of all its blobs. Call within a transaction, after `learn` for every session. */
  leave(session: string, now: number): void {
    const left = this.#database.prepare(
      `SELECT hash FROM blob_users WHERE session = ?
       UNION SELECT hash FROM loose_blobs WHERE kept <= ?`,
    );
    const hashes = left.all(session, now - looseMs).map((row) => String(row["hash"]));
    this.#database.prepare("DELETE FROM blob_users WHERE session = ?").run(session);
    this.#database.prepare("DELETE FROM loose_blobs WHERE kept <= ?").run(now - looseMs);
    const drop = this.#database.prepare(
      `DELETE FROM blobs WHERE hash = ?1
       AND NOT EXISTS (SELECT 1 FROM blob_users WHERE hash = ?1)
       AND NOT EXISTS (SELECT 1 FROM loose_blobs WHERE hash = ?1)`,
    );
    for (const hash of hashes) drop.run(hash);
  }
}
