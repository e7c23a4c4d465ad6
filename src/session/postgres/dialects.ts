/** The table of dialect records per model. */

import type {
  CallCounts,
  DialectMeasurement,
  DialectRecord,
  ModelKey,
  ModelRecord,
} from "../../protocol/dialect-record.ts";
import { measuredIn, recordOf } from "../dialect-rows.ts";
import type { Sql } from "./server-link.ts";

/** Call within a transaction. */
export async function putMeasured(
  sql: Sql,
  { server, model, template }: ModelKey,
  measured: readonly DialectMeasurement[],
): Promise<void> {
  for (const one of measured)
    await sql(
      `INSERT INTO dialects (server, model, template, dialect, measured) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (server, model, template, dialect)
       DO UPDATE SET measured = excluded.measured, calls = 0, repairs = 0, refusals = 0`,
      [server, model, template, one.dialect, JSON.stringify(one)],
    );
}

export async function addCounts(
  sql: Sql,
  { server, model, template }: ModelKey,
  dialect: string,
  { calls, repairs, refusals }: CallCounts,
): Promise<void> {
  await sql(
    `INSERT INTO dialects AS known (server, model, template, dialect, calls, repairs, refusals)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (server, model, template, dialect) DO UPDATE SET calls = known.calls + excluded.calls,
       repairs = known.repairs + excluded.repairs, refusals = known.refusals + excluded.refusals`,
    [server, model, template, dialect, calls, repairs, refusals],
  );
}

export async function dialectsOf(sql: Sql, { server, model, template }: ModelKey): Promise<DialectRecord[]> {
  const rows = await sql("SELECT * FROM dialects WHERE server = $1 AND model = $2 AND template = $3", [
    server,
    model,
    template,
  ]);
  return rows.map(recordOf);
}

export const measuredModels = async (sql: Sql): Promise<ModelRecord[]> =>
  measuredIn(await sql("SELECT * FROM dialects"));
