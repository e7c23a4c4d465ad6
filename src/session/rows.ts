/** Converts database rows to values, and says how lists of them are ordered. */

import type { SessionSummary } from "./store.ts";

export type DatabaseRow = Record<string, unknown>;

/** The latest time that is believed: a clock is now and then set by minutes. */
export const latestTime = (): number => Date.now() + 5 * 60_000;

/**
 * When a session was last used, as far as its times can be believed: one dated by a wrong clock must not stay the
 * newest for years. Lists are ordered by this. SQL of both databases.
 */
export const lastUsed = (latest: string): string =>
  `CASE WHEN updated_at <= ${latest} THEN updated_at WHEN created_at <= ${latest} THEN created_at ELSE 0 END`;

export function summaryOf(row: DatabaseRow): SessionSummary {
  const { parent } = row;
  return {
    id: string(row, "id"),
    workspace: string(row, "workspace"),
    createdAt: number(row, "created_at"),
    updatedAt: number(row, "updated_at"),
    facts: number(row, "facts"),
    title: string(row, "title"),
    ...(typeof parent === "string" ? { parent } : {}),
  };
}

export function string(row: DatabaseRow, column: string): string {
  return String(row[column]);
}

export function number(row: DatabaseRow, column: string): number {
  return Number(row[column]);
}
