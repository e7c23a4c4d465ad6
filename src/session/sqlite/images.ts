/**
 * The tables of stored images: each content once, with the owners that need it. Triggers drop images without owners and
 * maintain the total size.
 */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { sha256 } from "../../base/crypto.ts";
import type { Hash } from "../store.ts";
import { preparedOnce } from "./statements.ts";

export class ImageTable {
  readonly #maxBytes: number;
  readonly #sql: (text: string) => StatementSync;

  constructor(database: DatabaseSync, maxBytes: number) {
    this.#sql = preparedOnce(database);
    this.#maxBytes = maxBytes;
  }

  /** Call within a transaction. */
  keep(session: string, owner: string, image: { hash: Hash; bytes: Uint8Array }): void {
    const { hash, bytes } = image;
    this.#sql("INSERT INTO images (hash, size, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING").run(
      hash,
      bytes.length,
      bytes,
    );
    this.#sql(
      `INSERT INTO image_owners (session, owner, hash, kept)
       VALUES (?, ?, ?, (SELECT coalesce(max(kept), 0) + 1 FROM image_owners))
       ON CONFLICT DO UPDATE SET kept = excluded.kept`,
    ).run(session, owner, hash);
    this.#makeSpace(session, owner);
  }

  get(session: string, hash: Hash): Uint8Array | undefined {
    const row = this.#sql(
      `SELECT bytes FROM images
       WHERE hash = ?1 AND EXISTS (SELECT 1 FROM image_owners WHERE hash = ?1 AND session = ?2)`,
    ).get(hash, session);
    const bytes = row?.["bytes"];
    // Undo may write this over a person's file, so content damaged on disk counts as missing.
    return bytes instanceof Uint8Array && sha256(bytes) === hash ? bytes : undefined;
  }

  drop(session: string, owner: string): void {
    this.#sql("DELETE FROM image_owners WHERE session = ? AND owner = ?").run(session, owner);
  }

  /** Drops owners in order of their last stored image, oldest first, but never the one being stored for. */
  #makeSpace(session: string, owner: string): void {
    while (this.#total() > this.#maxBytes) {
      const oldest = this.#sql(
        `SELECT session, owner FROM image_owners GROUP BY session, owner
         HAVING session <> ?1 OR owner <> ?2 ORDER BY max(kept) LIMIT 1`,
      ).get(session, owner);
      if (!oldest) return;
      this.drop(String(oldest["session"]), String(oldest["owner"]));
    }
  }

  #total(): number {
    return Number(this.#sql("SELECT bytes FROM image_total").get()?.["bytes"]);
  }
}
