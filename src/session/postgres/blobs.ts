/**
 * The blobs, and which sessions need each of them: those with a fact that names its hash, and for a day after it was
 * stored a fact still to come. Who deletes keeps all others from writing here until he is done.
 */

import { sha256 } from "../../base/crypto.ts";
import { hashesIn, looseMs } from "../store-rules.ts";
import type { Hash } from "../store.ts";
import type { Sql } from "./server-link.ts";

export type HashedBytes = { hash: Hash; bytes: Uint8Array };

/** None may be deleted from now on. Call within a transaction, first. */
export async function holdBlobs(sql: Sql): Promise<void> {
  await sql("LOCK TABLE blobs IN ROW EXCLUSIVE MODE");
}

/** Call after `holdBlobs`. */
export async function putBlob(sql: Sql, { hash, bytes }: HashedBytes): Promise<void> {
  const known = await sql("SELECT 1 FROM blobs WHERE hash = $1", [hash]);
  if (known.length > 0) return;
  await sql("INSERT INTO blobs (hash, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING", [hash, bytes]);
}

/** For a fact that will name it. Call within a transaction. */
export async function putLoose(sql: Sql, blob: HashedBytes): Promise<void> {
  await holdBlobs(sql);
  await putBlob(sql, blob);
  await sql("INSERT INTO loose_blobs (hash) VALUES ($1)", [blob.hash]);
}

/** Those that are stored; one damaged there counts as missing. */
export async function blobsOf(sql: Sql, hashes: readonly Hash[]): Promise<Map<Hash, Uint8Array>> {
  if (hashes.length === 0) return new Map();
  const rows = await sql("SELECT hash, bytes FROM blobs WHERE hash = ANY($1)", [[...new Set(hashes)]]);
  return new Map(rows.flatMap((row) => ownBytes(String(row["hash"]), row["bytes"])));
}

function ownBytes(hash: Hash, bytes: unknown): [Hash, Uint8Array][] {
  return bytes instanceof Uint8Array && sha256(bytes) === hash ? [[hash, new Uint8Array(bytes)]] : [];
}

/** Records the blobs that these facts of the session name. Call within a transaction. */
export async function useBlobs(sql: Sql, session: string, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    const hashes = [...hashesIn(text)];
    if (hashes.length === 0) continue;
    await sql(
      `INSERT INTO blob_users (hash, session) SELECT hash, $2 FROM blobs WHERE hash = ANY($1)
       ON CONFLICT DO NOTHING`,
      [hashes, session],
    );
    await sql(
      `DELETE FROM loose_blobs
       WHERE number IN (SELECT min(number) FROM loose_blobs WHERE hash = ANY($1) GROUP BY hash)`,
      [hashes],
    );
  }
}

/** Removes the session as a user of all its blobs. Call within a transaction, first. */
export async function leaveBlobs(sql: Sql, session: string): Promise<void> {
  await sql("LOCK TABLE blobs, blob_users, loose_blobs IN SHARE ROW EXCLUSIVE MODE");
  const left = await sql(
    `WITH used AS (DELETE FROM blob_users WHERE session = $1 RETURNING hash),
       loose AS (DELETE FROM loose_blobs WHERE kept <= now() - $2 * interval '1 millisecond' RETURNING hash)
     SELECT hash FROM used UNION SELECT hash FROM loose`,
    [session, looseMs],
  );
  await sql(
    `DELETE FROM blobs WHERE hash = ANY($1)
     AND NOT EXISTS (SELECT 1 FROM blob_users WHERE hash = blobs.hash)
     AND NOT EXISTS (SELECT 1 FROM loose_blobs WHERE hash = blobs.hash)`,
    [left.map((row) => row["hash"])],
  );
}
