/**
 * The blobs, and which sessions need each of them: those with a fact that names its hash, and for a day after it was
 * stored a fact still to come. Who deletes keeps all others from writing here until he is done.
 */

import { sha256 } from "../../base/crypto.ts";
import { hashesIn, looseMs } from "../store-rules.ts";
import type { Hash } from "../store.ts";
import type { TableWork } from "./work.ts";

export type HashedBytes = { hash: Hash; bytes: Uint8Array };

/** Independent of the caller's bytes. */
export const withHash = (bytes: Uint8Array): HashedBytes => ({
  hash: sha256(bytes),
  bytes: new Uint8Array(bytes),
});

/** None may be deleted from now on. Call within a transaction, first. */
export function* holdBlobs(): TableWork<void> {
  yield ["LOCK TABLE blobs IN ROW EXCLUSIVE MODE"];
}

/** Call after `holdBlobs`. */
export function* putBlob({ hash, bytes }: HashedBytes): TableWork<void> {
  const [known] = yield ["SELECT 1 FROM blobs WHERE hash = $1", [hash]];
  if (!known) yield ["INSERT INTO blobs (hash, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING", [hash, bytes]];
}

/** For a fact that will name it. Call within a transaction. */
export function* putLoose(blob: HashedBytes): TableWork<void> {
  yield* holdBlobs();
  yield* putBlob(blob);
  yield ["INSERT INTO loose_blobs (hash, kept) VALUES ($1, clock_timestamp())", [blob.hash]];
}

/** Those that are stored; one damaged there counts as missing. */
export function* blobsOf(hashes: readonly Hash[]): TableWork<Map<Hash, Uint8Array>> {
  if (hashes.length === 0) return new Map();
  const rows = yield ["SELECT hash, bytes FROM blobs WHERE hash = ANY($1)", [[...new Set(hashes)]]];
  return new Map(
    rows.flatMap((row): [Hash, Uint8Array][] => {
      const hash = String(row["hash"]);
      const bytes = ownBytes(hash, row["bytes"]);
      return bytes ? [[hash, bytes]] : [];
    }),
  );
}

/** Undefined if they do not match their hash any more. */
export const ownBytes = (hash: Hash, bytes: unknown): Uint8Array | undefined =>
  bytes instanceof Uint8Array && sha256(bytes) === hash ? new Uint8Array(bytes) : undefined;

/** Records the blobs that these facts of the session name. Call within a transaction. */
export function* useBlobs(session: string, texts: readonly string[]): TableWork<void> {
  for (const text of texts) {
    const hashes = [...hashesIn(text)];
    if (hashes.length === 0) continue;
    yield* addUser(session, hashes);
    yield [
      `DELETE FROM loose_blobs
       WHERE number IN (SELECT min(number) FROM loose_blobs WHERE hash = ANY($1) GROUP BY hash)`,
      [hashes],
    ];
  }
}

export function* addUser(session: string, hashes: readonly Hash[]): TableWork<void> {
  yield [
    `INSERT INTO blob_users (hash, session) SELECT hash, $2 FROM blobs WHERE hash = ANY($1)
     ON CONFLICT DO NOTHING`,
    [hashes, session],
  ];
}

/** Removes the session as a user of all its blobs. Call within a transaction, first. */
export function* leaveBlobs(session: string): TableWork<void> {
  yield ["LOCK TABLE blobs, blob_users, loose_blobs IN SHARE ROW EXCLUSIVE MODE"];
  const used = yield ["DELETE FROM blob_users WHERE session = $1 RETURNING hash", [session]];
  const loose = yield [
    `DELETE FROM loose_blobs WHERE kept <= clock_timestamp() - $1 * interval '1 millisecond' RETURNING hash`,
    [looseMs],
  ];
  yield [
    `DELETE FROM blobs WHERE hash = ANY($1)
     AND NOT EXISTS (SELECT 1 FROM blob_users WHERE hash = blobs.hash)
     AND NOT EXISTS (SELECT 1 FROM loose_blobs WHERE hash = blobs.hash)`,
    [[...used, ...loose].map((row) => String(row["hash"]))],
  ];
}
