/** Queries for lists of sessions: rows, newest fact numbers, and cached figures. */

import { type DatabaseRow, lastUsed, latestTime, number, string } from "../rows.ts";
import type { KeptFigures, Page } from "../store.ts";
import { seenBy, type Viewer, viewerIn } from "../team.ts";
import type { Sql } from "./server-link.ts";

/** PostgreSQL's value for "no limit" is null. */
export const limitOf = (most: number | undefined): number | null =>
  most !== undefined && Number.isFinite(most) ? Math.max(0, Math.trunc(most)) : null;

const newest = `ORDER BY ${lastUsed("$1")} DESC, number DESC`;

export async function listedRows(sql: Sql, page: Page | undefined): Promise<DatabaseRow[]> {
  const latest = latestTime();
  const { limit = Number.POSITIVE_INFINITY, before, ofPeople = false } = page ?? {};
  const most = limitOf(limit);
  const seen = seenBy("id", "$4", "$5");
  const wanted = `(NOT $2::boolean OR parent IS NULL) AND ${seen}`;
  const values = [latest, ofPeople, most, ...viewerIn(page?.seenBy)];
  if (before === undefined) return sql(`SELECT * FROM sessions WHERE ${wanted} ${newest} LIMIT $3`, values);
  return sql(
    `SELECT * FROM sessions WHERE ${wanted}
     AND (${lastUsed("$1")}, number) < (
       SELECT ${lastUsed("$1")}, number FROM sessions WHERE id = $6 AND ${seen})
     ${newest} LIMIT $3`,
    [...values, before],
  );
}

/** Found from the end of each log. */
export const unfinishedRows = (sql: Sql, limit: number, viewer: Viewer | undefined): Promise<DatabaseRow[]> =>
  sql(
    `SELECT * FROM sessions WHERE parent IS NULL AND 'user-message' = (
       SELECT type FROM facts WHERE session = sessions.id
       AND type IN ('user-message', 'turn-end') ORDER BY seq DESC LIMIT 1
     ) AND ${seenBy("id", "$3", "$4")} ${newest} LIMIT $2`,
    [latestTime(), limitOf(limit), ...viewerIn(viewer)],
  );

export const childRows = (sql: Sql, session: string): Promise<DatabaseRow[]> =>
  sql("SELECT * FROM sessions WHERE parent = $1 ORDER BY created_at, number", [session]);

export async function headsOf(sql: Sql, sessions: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql("SELECT id, facts FROM sessions WHERE id = ANY($1)", [sessions]);
  return new Map(rows.map((row) => [string(row, "id"), number(row, "facts")]));
}

export async function figuresOf(sql: Sql, sessions: readonly string[]): Promise<Map<string, KeptFigures>> {
  const rows = await sql("SELECT session, seq, text FROM figures WHERE session = ANY($1)", [sessions]);
  return new Map(
    rows.map((row) => [string(row, "session"), { seq: number(row, "seq"), text: string(row, "text") }]),
  );
}

/** In the order of the ids, so that two programs never wait for each other. */
export async function putFigures(sql: Sql, figures: ReadonlyMap<string, KeptFigures>): Promise<void> {
  if (figures.size === 0) return;
  const kept = [...figures];
  await sql(
    `INSERT INTO figures (session, seq, text)
     SELECT id, given.seq, given.text FROM unnest($1::text[], $2::bigint[], $3::text[]) AS given (session, seq, text)
     JOIN sessions ON id = given.session ORDER BY id
     ON CONFLICT (session) DO UPDATE SET seq = excluded.seq, text = excluded.text
     WHERE excluded.seq >= figures.seq`,
    [kept.map(([session]) => session), kept.map(([, { seq }]) => seq), kept.map(([, { text }]) => text)],
  );
}

/** Differs whenever a transaction of anybody has begun or ended in between. */
export async function visibleState(sql: Sql): Promise<string> {
  const [row = {}] = await sql("SELECT pg_current_snapshot()::text AS snapshot");
  return string(row, "snapshot");
}
