/** Converts database rows to values. */

import type { SessionSummary } from "./store.ts";

export type DatabaseRow = Record<string, unknown>;

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
