/** Runs the statements of a store on SQLite: each is put into its words, and prepared, when it is first needed. */

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { DatabaseRow } from "../rows.ts";
import type { Statement, StoredValue, TableWork } from "../tables/work.ts";

/** Runs one statement and returns its rows. */
export type SyncSql = (...statement: Statement) => DatabaseRow[];

export function statementsOf(database: DatabaseSync): SyncSql {
  const prepared = new Map<string, StatementSync>();
  return (text, values = []) => {
    if (text.startsWith("LOCK ")) return []; // a transaction has the whole database
    const statement = prepared.get(text) ?? database.prepare(inSqlite(text));
    prepared.set(text, statement);
    return statement.all(...values.map(storable));
  };
}

export function perform<Value>(sql: SyncSql, work: TableWork<Value>): Value {
  let step = work.next();
  while (!step.done) step = work.next(sql(...step.value));
  return step.value;
}

/** What PostgreSQL says otherwise. Times are milliseconds since 1970 here, and only the text of a fact has its type. */
const differences: readonly (readonly [RegExp, string])[] = [
  [/\$(\d+)/gu, "?$1"],
  [/= ANY\((\?\d+)\)/gu, "IN (SELECT value FROM json_each($1))"],
  [/ FOR (?:KEY SHARE|UPDATE)$/gu, ""],
  [/ COLLATE "C"/gu, ""],
  [/\bnumber\b/gu, "rowid"],
  [/\bfacts\.type\b/gu, "CASE WHEN json_valid(entry) THEN entry ->> 'type' END"],
  [/extract\(epoch FROM (.+?)\)::float8 \* 1000/gu, "$1"],
  [/ \* interval '1 millisecond'/gu, ""],
  [/clock_timestamp\(\)/gu, "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)"],
];

const inSqlite = (text: string): string =>
  differences.reduce((said, [theirs, ours]) => said.replace(theirs, ours), text);

function storable(value: StoredValue): SQLInputValue {
  if (typeof value === "boolean") return Number(value);
  const isList = typeof value === "object" && value !== null && !(value instanceof Uint8Array);
  return isList ? JSON.stringify(value) : value;
}
