/** What PostgreSQL does otherwise about lists of sessions: caching figures, and seeing that something has changed. */

import { string } from "../rows.ts";
import type { KeptFigures } from "../store.ts";
import type { Sql } from "./server-link.ts";

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
