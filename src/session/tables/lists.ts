/** Lists of sessions: rows, newest fact numbers, and cached figures. */

import { type DatabaseRow, lastUsed, latestTime, number, string } from "../rows.ts";
import type { KeptFigures, Page } from "../store.ts";
import { seenBy, type Viewer, viewerIn } from "../team.ts";
import type { TableWork } from "./work.ts";

/** For `LIMIT`: all by default. */
export const limitOf = (most: number = Number.MAX_SAFE_INTEGER): number =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.trunc(most)));

const newest = `ORDER BY ${lastUsed("$1")} DESC, number DESC`;

export function* listedRows(page: Page | undefined): TableWork<DatabaseRow[]> {
  const { limit, before, ofPeople = false } = page ?? {};
  const seen = seenBy("id", "$4", "$5");
  const wanted = `(NOT CAST($2 AS BOOLEAN) OR parent IS NULL) AND ${seen}`;
  const values = [latestTime(), ofPeople, limitOf(limit), ...viewerIn(page?.seenBy)];
  if (before === undefined)
    return yield [`SELECT * FROM sessions WHERE ${wanted} ${newest} LIMIT $3`, values];
  return yield [
    `SELECT * FROM sessions WHERE ${wanted}
     AND (${lastUsed("$1")}, number) < (
       SELECT ${lastUsed("$1")}, number FROM sessions WHERE id = $6 AND ${seen})
     ${newest} LIMIT $3`,
    [...values, before],
  ];
}

/** Found from the end of each log: 30 ms for 10,000 sessions. A damaged fact is passed over. */
export function* unfinishedRows(limit: number, viewer: Viewer | undefined): TableWork<DatabaseRow[]> {
  return yield [
    `SELECT * FROM sessions WHERE parent IS NULL AND 'user-message' = (
       SELECT facts.type FROM facts WHERE session = sessions.id
       AND facts.type IN ('user-message', 'turn-end') ORDER BY seq DESC LIMIT 1
     ) AND ${seenBy("id", "$3", "$4")} ${newest} LIMIT $2`,
    [latestTime(), limitOf(limit), ...viewerIn(viewer)],
  ];
}

export function* childRows(session: string): TableWork<DatabaseRow[]> {
  return yield ["SELECT * FROM sessions WHERE parent = $1 ORDER BY created_at, number", [session]];
}

export function* headsOf(sessions: readonly string[]): TableWork<Map<string, number>> {
  const rows = yield ["SELECT id, facts FROM sessions WHERE id = ANY($1)", [sessions]];
  return new Map(rows.map((row) => [string(row, "id"), number(row, "facts")]));
}

export function* figuresOf(sessions: readonly string[]): TableWork<Map<string, KeptFigures>> {
  const rows = yield ["SELECT session, seq, text FROM figures WHERE session = ANY($1)", [sessions]];
  return new Map(
    rows.map((row) => [string(row, "session"), { seq: number(row, "seq"), text: string(row, "text") }]),
  );
}
