/** The stored images: each content once, with the owners that need it. Its writers come one after the other. */

import { sha256 } from "../../base/crypto.ts";
import { number } from "../rows.ts";
import type { Hash } from "../store.ts";
import type { HashedBytes } from "./blobs.ts";
import type { Sql } from "./server-link.ts";

/** Call within a transaction, before anything else in it that changes images. */
export async function lockImages(sql: Sql): Promise<void> {
  await sql("LOCK TABLE images, image_owners IN SHARE ROW EXCLUSIVE MODE");
}

/** Call within a transaction, after `lockImages`. Drops older owners' images while all are larger than `mostBytes`. */
export async function keepImage(
  sql: Sql,
  { session, owner }: { session: string; owner: string },
  { hash, bytes }: HashedBytes,
  mostBytes: number,
): Promise<void> {
  const known = await sql("SELECT 1 FROM images WHERE hash = $1", [hash]);
  if (known.length === 0) {
    await sql("INSERT INTO images (hash, size, bytes) VALUES ($1, $2, $3)", [hash, bytes.length, bytes]);
    await sql("UPDATE image_total SET bytes = bytes + $1", [bytes.length]);
  }
  await sql(
    `INSERT INTO image_owners (session, owner, hash, kept)
     VALUES ($1, $2, $3, (SELECT coalesce(max(kept), 0) + 1 FROM image_owners))
     ON CONFLICT (session, owner, hash) DO UPDATE SET kept = excluded.kept`,
    [session, owner, hash],
  );
  await makeSpace(sql, { session, owner }, mostBytes);
}

/** Drops owners in order of their last stored image, oldest first, but never the one being stored for. */
async function makeSpace(
  sql: Sql,
  { session, owner }: { session: string; owner: string },
  mostBytes: number,
): Promise<void> {
  for (;;) {
    const [total = {}] = await sql("SELECT bytes FROM image_total");
    if (number(total, "bytes") <= mostBytes) return;
    const [oldest] = await sql(
      `SELECT session, owner FROM image_owners WHERE (session, owner) <> ($1, $2)
       GROUP BY session, owner ORDER BY max(kept) LIMIT 1`,
      [session, owner],
    );
    if (!oldest) return;
    await dropImages(sql, String(oldest["session"]), String(oldest["owner"]));
  }
}

/** Drops what only this owner needs, or only this session. Call within a transaction, after `lockImages`. */
export async function dropImages(sql: Sql, session: string, owner?: string): Promise<void> {
  const left = await sql(
    "DELETE FROM image_owners WHERE session = $1 AND ($2::text IS NULL OR owner = $2) RETURNING hash",
    [session, owner ?? null],
  );
  const dropped = await sql(
    `DELETE FROM images WHERE hash = ANY($1)
     AND NOT EXISTS (SELECT 1 FROM image_owners WHERE hash = images.hash) RETURNING size`,
    [left.map((row) => row["hash"])],
  );
  const bytes = dropped.reduce((sum, row) => sum + number(row, "size"), 0);
  if (bytes > 0) await sql("UPDATE image_total SET bytes = bytes - $1", [bytes]);
}

/** Undo may write this over a person's file, so content damaged in the database counts as missing. */
export async function imageOf(sql: Sql, session: string, hash: Hash): Promise<Uint8Array | undefined> {
  const [row] = await sql(
    `SELECT bytes FROM images
     WHERE hash = $1 AND EXISTS (SELECT 1 FROM image_owners WHERE hash = $1 AND session = $2)`,
    [hash, session],
  );
  const bytes = row?.["bytes"];
  return bytes instanceof Uint8Array && sha256(bytes) === hash ? new Uint8Array(bytes) : undefined;
}
