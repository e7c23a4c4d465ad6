/** The table of dialect records per model. Its statements are prepared on demand: most runs need only one. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import type {
  CallCounts,
  DialectRecord,
  DialectMeasurement,
  ModelKey,
  ModelRecord,
} from "../../protocol/dialect-record.ts";
import { measuredIn, recordOf } from "../dialect-rows.ts";
import { preparedOnce } from "./statements.ts";

export class DialectTable {
  readonly #sql: (text: string) => StatementSync;

  constructor(database: DatabaseSync) {
    this.#sql = preparedOnce(database);
  }

  putMeasured({ server, model, template }: ModelKey, measured: readonly DialectMeasurement[]): void {
    const put = this.#sql(
      `INSERT OR REPLACE INTO dialects (server, model, template, dialect, measured) VALUES (?, ?, ?, ?, ?)`,
    );
    for (const one of measured) put.run(server, model, template, one.dialect, JSON.stringify(one));
  }

  addCounts({ server, model, template }: ModelKey, dialect: string, counts: CallCounts): void {
    const { calls, repairs, refusals } = counts;
    this.#sql(
      `INSERT INTO dialects (server, model, template, dialect, calls, repairs, refusals) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, repairs = repairs + excluded.repairs,
         refusals = refusals + excluded.refusals`,
    ).run(server, model, template, dialect, calls, repairs, refusals);
  }

  of({ server, model, template }: ModelKey): DialectRecord[] {
    const rows = this.#sql("SELECT * FROM dialects WHERE server = ? AND model = ? AND template = ?");
    return rows.all(server, model, template).map(recordOf);
  }

  measured(): ModelRecord[] {
    return measuredIn(this.#sql("SELECT * FROM dialects").all());
  }
}
