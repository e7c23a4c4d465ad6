/**
 * The table of facts: an append is one statement that raises the session's newest number where its epoch and that number
 * are as expected, so that it can be checked and made again after a lost connection.
 */

import { sha256 } from "../../base/crypto.ts";
import { isObject, type Json } from "../../base/json.ts";
import { blobWord, blobsNamed, externalise } from "../../protocol/codec.ts";
import type { Entry } from "../../protocol/facts.ts";
import { number, string } from "../rows.ts";
import { closedBlock, nameFrom, noSession, requireOrder, titleAfter } from "../store-rules.ts";
import { type PageSize, StaleEpoch, StoreError } from "../store.ts";
import { blobsOf, type HashedBytes, holdBlobs, putBlob, useBlobs } from "../tables/blobs.ts";
import { limitOf } from "../tables/lists.ts";
import { perform, type Sql, transaction } from "./server-link.ts";

/** An entry as it is stored. `size`: of the text with its long strings, in characters or bytes. */
type FactRow = { seq: number; type: string; text: string; size: number; blobs: readonly HashedBytes[] };

export function factRow(entry: Entry): FactRow {
  const { text, blobs } = externalise(entry, sha256);
  const type = entry.type === "unknown" ? typeOfUnknown(entry.original) : entry.type;
  const size = blobs.reduce((sum, { bytes }) => sum + bytes.length, text.length);
  return { seq: entry.seq, type, text, size, blobs };
}

/** A later version may know it. */
const typeOfUnknown = (original: Json): string =>
  isObject(original) && typeof original["type"] === "string" ? original["type"] : "";

/** An append, independent of the caller's objects. */
type FactAppend = {
  session: string;
  epoch: number;
  rows: readonly FactRow[];
  /** When the last entry was made; absent: there is none. */
  at: number | undefined;
  /** The last name that a person gave; empty if none did. */
  name: string;
  /** The title if there was none before. */
  title: string;
  /** The newest block that is superseded. */
  closed: number;
};

/** Throws StoreError unless the entries follow one another. */
export function factAppend(session: string, epoch: number, entries: readonly Entry[]): FactAppend {
  requireOrder(session, (entries[0]?.seq ?? 1) - 1, entries);
  const renamed = entries.findLast((entry) => entry.type === "session-renamed");
  return {
    session,
    epoch,
    rows: entries.map(factRow),
    at: entries.at(-1)?.at,
    name: renamed?.type === "session-renamed" ? nameFrom(renamed.title) : "",
    title: titleAfter("", entries),
    closed: closedBlock(entries),
  };
}

/**
 * `isDue`: whether the holder must be renewed. `isRepeated`: an earlier attempt may have succeeded. Throws StaleEpoch,
 * StoreError.
 */
type AppendAttempt = { isDue: boolean; isRepeated: boolean };

export async function appendFacts(sql: Sql, append: FactAppend, attempt: AppendAttempt): Promise<void> {
  const { session, rows } = append;
  const naming = rows.filter(({ text }) => text.includes(blobWord)).map(({ text }) => text);
  if (naming.length === 0) return insertFacts(sql, append, attempt);
  await transaction(sql, async () => {
    await perform(sql, holdBlobs());
    for (const { blobs } of rows) for (const blob of blobs) await perform(sql, putBlob(blob));
    await insertFacts(sql, append, attempt);
    await perform(sql, useBlobs(session, naming));
  });
}

async function insertFacts(
  sql: Sql,
  append: FactAppend,
  { isDue, isRepeated }: AppendAttempt,
): Promise<void> {
  const { session, epoch, rows, at, name, title, closed } = append;
  const appended = await sql(
    `WITH head AS (
       UPDATE sessions SET facts = facts + $4, updated_at = coalesce($5, updated_at),
         title = CASE WHEN $6 <> '' THEN $6 WHEN title <> '' THEN title ELSE $7 END
       WHERE id = $1 AND epoch = $2 AND ($4 = 0 OR facts = $3) RETURNING id
     ), log AS (
       INSERT INTO facts (session, seq, type, size, entry)
       SELECT id, given.* FROM head, unnest($8::bigint[], $9::text[], $10::bigint[], $11::text[]) AS given
     ), closed AS (
       DELETE FROM open_blocks USING head WHERE session = id AND block <= $12
     ), renewal AS (
       UPDATE holders SET renewed = clock_timestamp() FROM head WHERE session = id AND $13
     )
     SELECT id FROM head`,
    [
      session,
      epoch,
      (rows[0]?.seq ?? 1) - 1,
      rows.length,
      at ?? null,
      name,
      title,
      rows.map(({ seq }) => seq),
      rows.map(({ type }) => type),
      rows.map(({ size }) => size),
      rows.map(({ text }) => text),
      closed,
      isDue,
    ],
  );
  const isDone = appended.length > 0 || (isRepeated && (await isStored(sql, append)));
  if (!isDone) throw await refusalOf(sql, append);
}

/** Only the owner of the epoch can have written these very facts. */
async function isStored(sql: Sql, { session, epoch, rows }: FactAppend): Promise<boolean> {
  const stored = await sql(
    `SELECT entry FROM facts JOIN sessions ON id = session
     WHERE session = $1 AND epoch = $2 AND seq = ANY($3) ORDER BY seq`,
    [session, epoch, rows.map(({ seq }) => seq)],
  );
  return rows.length > 0 && rows.every(({ text }, at) => stored[at]?.["entry"] === text);
}

/** Why an append found no row that it could raise. */
async function refusalOf(sql: Sql, { session, epoch, rows }: FactAppend): Promise<unknown> {
  const [row] = await sql("SELECT epoch, facts FROM sessions WHERE id = $1", [session]);
  if (!row) return noSession(session);
  if (number(row, "epoch") !== epoch) return new StaleEpoch(session);
  try {
    requireOrder(session, number(row, "facts"), rows);
  } catch (error) {
    return error;
  }
  return new StoreError(`Session ${session} was changed at the same time; nothing was written. Try again.`);
}

/** Without a size all of them. */
export async function readFacts(sql: Sql, session: string, after: number, most?: PageSize): Promise<Entry[]> {
  const rows = await sql(
    `SELECT seq, entry FROM (
       SELECT seq, entry, sum(size) OVER (ORDER BY seq) - size AS before FROM facts
       WHERE session = $1 AND seq > $2 ORDER BY seq LIMIT $3
     ) AS page WHERE before < greatest($4::bigint, 1) ORDER BY seq`,
    [session, after, limitOf(most?.facts), limitOf(most?.characters)],
  );
  const stored = rows.map((row) => ({ seq: number(row, "seq"), text: string(row, "entry") }));
  return entriesFrom(sql, stored);
}

export async function entriesFrom(
  sql: Sql,
  stored: readonly { seq: number; text: string }[],
): Promise<Entry[]> {
  if (stored.length === 0) return [];
  const { internalise } = await import("../../protocol/decode.ts"); // 8 ms of schemas, unneeded by new sessions
  const named = stored.flatMap(({ text }) => blobsNamed(text));
  const blobs = await perform(sql, blobsOf(named));
  return stored.map(({ seq, text }) => {
    const entry = internalise(text, (hash) => blobs.get(hash));
    // A damaged text may contain any number, or none: a reader continuing from it would never finish.
    return entry.seq === seq ? entry : { ...entry, seq };
  });
}
