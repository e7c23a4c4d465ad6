/** The stored images: each content once, with the owners that need it. Its writers come one after the other. */

import { number } from "../rows.ts";
import { noSession } from "../store-rules.ts";
import type { Hash } from "../store.ts";
import { type HashedBytes, ownBytes } from "./blobs.ts";
import type { TableWork } from "./work.ts";

/** `triggers`: whether the database itself counts all bytes, and drops what has no owner. */
export type ImageRules = { mostBytes: number; triggers: boolean };

/** Call within a transaction, before anything else in it that changes images. */
export function* lockImages(): TableWork<void> {
  yield ["LOCK TABLE images, image_owners IN SHARE ROW EXCLUSIVE MODE"];
}

/** Call within a transaction. Drops older owners' images while all are larger than `mostBytes`. */
export function* keepImage(
  { session, owner }: { session: string; owner: string },
  { hash, bytes }: HashedBytes,
  rules: ImageRules,
): TableWork<void> {
  yield* lockImages();
  const [there] = yield ["SELECT id FROM sessions WHERE id = $1 FOR KEY SHARE", [session]];
  if (!there) throw noSession(session);
  const [known] = yield ["SELECT 1 FROM images WHERE hash = $1", [hash]];
  if (!known) {
    yield ["INSERT INTO images (hash, size, bytes) VALUES ($1, $2, $3)", [hash, bytes.length, bytes]];
    if (!rules.triggers) yield ["UPDATE image_total SET bytes = bytes + $1", [bytes.length]];
  }
  yield [
    `INSERT INTO image_owners (session, owner, hash, kept)
     VALUES ($1, $2, $3, (SELECT coalesce(max(kept), 0) + 1 FROM image_owners))
     ON CONFLICT (session, owner, hash) DO UPDATE SET kept = excluded.kept`,
    [session, owner, hash],
  ];
  yield* makeSpace({ session, owner }, rules);
}

/** Drops owners in order of their last stored image, oldest first, but never the one being stored for. */
function* makeSpace(
  { session, owner }: { session: string; owner: string },
  rules: ImageRules,
): TableWork<void> {
  for (;;) {
    const [total = {}] = yield ["SELECT bytes FROM image_total"];
    if (number(total, "bytes") <= rules.mostBytes) return;
    const [oldest] = yield [
      `SELECT session, owner FROM image_owners WHERE (session, owner) <> ($1, $2)
       GROUP BY session, owner ORDER BY max(kept) LIMIT 1`,
      [session, owner],
    ];
    if (!oldest) return;
    yield* dropImages(String(oldest["session"]), String(oldest["owner"]), rules);
  }
}

/** Drops what only this owner needs, or only this session. Call within a transaction, after `lockImages`. */
export function* dropImages(
  session: string,
  owner: string | undefined,
  { triggers }: Pick<ImageRules, "triggers">,
): TableWork<void> {
  const left = yield [
    "DELETE FROM image_owners WHERE session = $1 AND (CAST($2 AS TEXT) IS NULL OR owner = $2) RETURNING hash",
    [session, owner ?? null],
  ];
  if (triggers) return;
  const dropped = yield [
    `DELETE FROM images WHERE hash = ANY($1)
     AND NOT EXISTS (SELECT 1 FROM image_owners WHERE hash = images.hash) RETURNING size`,
    [left.map((row) => String(row["hash"]))],
  ];
  const bytes = dropped.reduce((sum, row) => sum + number(row, "size"), 0);
  if (bytes > 0) yield ["UPDATE image_total SET bytes = bytes - $1", [bytes]];
}

/** Undo may write this over a person's file, so content damaged in the database counts as missing. */
export function* imageOf(session: string, hash: Hash): TableWork<Uint8Array | undefined> {
  const [row] = yield [
    `SELECT bytes FROM images
     WHERE hash = $1 AND EXISTS (SELECT 1 FROM image_owners WHERE hash = $1 AND session = $2)`,
    [hash, session],
  ];
  return ownBytes(hash, row?.["bytes"]);
}
