/** Copies whole sessions in the database up to a fact, or removes them. Call within a transaction, first. */

import type { Entry } from "../../protocol/facts.ts";
import { number } from "../rows.ts";
import {
  copiedOwners,
  copyEntries,
  noSession,
  requireFacts,
  requireFree,
  sessionExists,
  titleAfter,
} from "../store-rules.ts";
import type { SessionInfo } from "../store.ts";
import { holdBlobs, leaveBlobs } from "../tables/blobs.ts";
import { holderIn } from "../tables/claims.ts";
import { dropImages, lockImages } from "../tables/images.ts";
import { factRow } from "./facts.ts";
import { perform, type Sql } from "./server-link.ts";

/** `entries`: the facts to copy, decoded. They are copied as stored, except those that `copyEntries` changes. */
export async function copySession(
  sql: Sql,
  from: string,
  { to, upTo, entries }: { to: SessionInfo; upTo: number; entries: readonly Entry[] },
): Promise<void> {
  await perform(sql, holdBlobs());
  await perform(sql, lockImages());
  const [source] = await sql("SELECT facts FROM sessions WHERE id = $1 FOR KEY SHARE", [from]);
  if (!source) throw noSession(from);
  requireFacts(from, upTo, number(source, "facts"));
  const ours = copyEntries(entries, to);
  const made = await sql(
    `INSERT INTO sessions (id, workspace, created_at, updated_at, facts, title)
     VALUES ($1, $2, $3, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING id`,
    [to.id, to.workspace, to.createdAt, ours.length, titleAfter("", entries)],
  );
  if (made.length === 0) throw sessionExists(to.id);
  await sql(
    `INSERT INTO facts (session, seq, type, size, entry)
     SELECT $1, seq, type, size, entry FROM facts WHERE session = $2 AND seq <= $3`,
    [to.id, from, upTo],
  );
  for (const entry of ours)
    if (entry.type === "session-start" || entry.seq > upTo) await putFact(sql, to.id, entry);
  await sql(
    `INSERT INTO blob_users (hash, session)
     SELECT DISTINCT hash, $1 FROM facts, regexp_matches(entry, '"([0-9a-f]{64})"', 'g') AS named, blobs
     WHERE facts.session = $1 AND hash = named[1]`,
    [to.id],
  );
  await copyImages(sql, from, { to, entries });
}

async function putFact(sql: Sql, session: string, entry: Entry): Promise<void> {
  const { seq, type, size, text } = factRow(entry);
  await sql(
    `INSERT INTO facts (session, seq, type, size, entry) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (session, seq) DO UPDATE SET type = excluded.type, size = excluded.size, entry = excluded.entry`,
    [session, seq, type, size, text],
  );
}

/** Copies the images that undo of the copied turns needs. */
async function copyImages(
  sql: Sql,
  from: string,
  { to, entries }: { to: SessionInfo; entries: readonly Entry[] },
): Promise<void> {
  const owners = [...copiedOwners(entries, to)];
  await sql(
    `INSERT INTO image_owners (session, owner, hash, kept)
     SELECT $1, given.ours, hash, kept FROM image_owners
     JOIN unnest($3::text[], $4::text[]) AS given (owner, ours) ON given.owner = image_owners.owner
     WHERE session = $2 ON CONFLICT DO NOTHING`,
    [to.id, from, owners.map(([owner]) => owner), owners.map(([, ours]) => ours)],
  );
}

/** False if there is no such session. Throws SessionHeld. */
export async function deleteSession(sql: Sql, session: string): Promise<boolean> {
  await perform(sql, leaveBlobs(session));
  await perform(sql, lockImages());
  const [known] = await sql("SELECT id FROM sessions WHERE id = $1 FOR UPDATE", [session]);
  if (!known) return false;
  requireFree(session, await perform(sql, holderIn(session)));
  await perform(sql, dropImages(session, undefined, { triggers: false }));
  await sql("DELETE FROM facts WHERE session = $1", [session]);
  await sql("DELETE FROM open_blocks WHERE session = $1", [session]);
  await sql("DELETE FROM runs WHERE session = $1 AND state = 'rests'", [session]);
  await sql("UPDATE sessions SET parent = NULL WHERE parent = $1", [session]);
  await sql("UPDATE belongings SET tree = session WHERE tree = $1", [session]);
  await sql("DELETE FROM sessions WHERE id = $1", [session]);
  return true;
}
