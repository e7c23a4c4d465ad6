/** The table of facts: appended in one transaction, and read in pages of a limited length. */

import type { DatabaseSync } from "node:sqlite";
import { sha256 } from "../../base/crypto.ts";
import { blobWord, externalise } from "../../protocol/codec.ts";
import type { Entry } from "../../protocol/facts.ts";
import { number, string } from "../rows.ts";
import { closedBlock, requireOrder, titleAfter } from "../store-rules.ts";
import type { PageSize } from "../store.ts";
import { blobsOf, putBlob, useBlobs } from "../tables/blobs.ts";
import { renewHolder, requireOwned } from "../tables/claims.ts";
import type { TableWork } from "../tables/work.ts";
import { perform, type SyncSql } from "./statements.ts";

/** `isDue`: whether the holder is to be renewed. The work is independent of the caller's objects. */
export function factAppend(
  session: string,
  epoch: number,
  { entries, isDue }: { entries: readonly Entry[]; isDue: boolean },
): () => TableWork<void> {
  const rows = entries.map((entry) => ({ seq: entry.seq, ...externalise(entry, sha256) }));
  return function* () {
    const owned = yield* requireOwned(session, epoch);
    const last = number(owned, "facts");
    requireOrder(session, last, entries);
    for (const { seq, text, blobs } of rows) {
      for (const blob of blobs) yield* putBlob(blob);
      yield ["INSERT INTO facts (session, seq, entry) VALUES ($1, $2, $3)", [session, seq, text]];
      if (text.includes(blobWord)) yield* useBlobs(session, [text]);
    }
    const closed = closedBlock(entries);
    if (closed >= 0) yield ["DELETE FROM open_blocks WHERE session = $1 AND block <= $2", [session, closed]];
    const title = titleAfter(string(owned, "title"), entries);
    const at = entries.at(-1)?.at ?? number(owned, "updated_at");
    yield [
      `UPDATE sessions SET updated_at = $1, facts = $2, title = $3,
         blobs_known = CASE WHEN blobs_known = $4 THEN $2 ELSE blobs_known END WHERE id = $5`,
      [at, last + entries.length, title, last, session],
    ];
    if (isDue) yield* renewHolder(session, epoch);
  };
}

/** Whether there are any, which needs no decoder. */
export function* hasFacts(session: string, after: number): TableWork<boolean> {
  return (yield ["SELECT 1 FROM facts WHERE session = $1 AND seq > $2 LIMIT 1", [session, after]]).length > 0;
}

type Internalise = (text: string, blobOf: (hash: string) => Uint8Array | undefined) => Entry;

/** Without a size all of them. */
export function readFacts(
  { database, sql, internalise }: { database: DatabaseSync; sql: SyncSql; internalise: Internalise },
  session: string,
  after: number,
  most: PageSize | undefined,
): Entry[] {
  let characters = 0;
  const blobOf = (hash: string): Uint8Array | undefined => {
    const blob = perform(sql, blobsOf([hash])).get(hash);
    characters += blob?.length ?? 0;
    return blob;
  };
  const entries: Entry[] = [];
  const rows = database.prepare(
    "SELECT seq, entry FROM facts WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?",
  );
  for (const row of rows.iterate(session, after, most?.facts ?? -1)) {
    const [text, seq] = [string(row, "entry"), number(row, "seq")];
    characters += text.length;
    const entry = internalise(text, blobOf);
    // A damaged text may contain any number, or none: a reader continuing from it would never finish.
    entries.push(entry.seq === seq ? entry : { ...entry, seq });
    if (most && characters >= most.characters) break;
  }
  return entries;
}
