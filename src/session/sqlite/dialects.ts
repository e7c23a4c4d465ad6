/** The table of dialect records per model. Its statements are prepared on demand: most runs need only one. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { isObject, parseJson } from "../../base/json.ts";
import type {
  CallCounts,
  DialectRecord,
  DialectMeasurement,
  ModelKey,
  ModelRecord,
} from "../../protocol/dialect-record.ts";
import type { DatabaseRow } from "./rows.ts";

export class DialectTable {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
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
    const models = new Map<string, ModelRecord>();
    for (const row of this.#sql("SELECT * FROM dialects").all()) {
      const key = {
        server: String(row["server"]),
        model: String(row["model"]),
        template: String(row["template"]),
      };
      const name = JSON.stringify(key);
      const model = models.get(name) ?? { ...key, dialects: [] };
      model.dialects.push(recordOf(row));
      models.set(name, model);
    }
    return [...models.values()].filter(({ dialects }) => dialects.some(({ measured }) => measured));
  }

  #sql(text: string): StatementSync {
    const known = this.#statements.get(text) ?? this.#database.prepare(text);
    this.#statements.set(text, known);
    return known;
  }
}

function recordOf(row: DatabaseRow): DialectRecord {
  const dialect = String(row["dialect"]);
  const counts = {
    calls: Number(row["calls"]),
    repairs: Number(row["repairs"]),
    refusals: Number(row["refusals"]),
  };
  const measured = readMeasured(row["measured"], dialect);
  return measured ? { dialect, counts, measured } : { dialect, counts };
}

/** An unreadable measurement counts as never made. */
function readMeasured(text: unknown, dialect: string): DialectMeasurement | undefined {
  const parsed = typeof text === "string" ? parseJson(text) : undefined;
  if (!parsed?.ok || !isObject(parsed.value)) return undefined;
  const { value } = parsed;
  const number = (name: Exclude<keyof DialectMeasurement, "dialect">): number =>
    typeof value[name] === "number" ? value[name] : 0;
  const measured = {
    dialect,
    at: number("at"),
    tasks: number("tasks"),
    right: number("right"),
    repaired: number("repaired"),
    unreadable: number("unreadable"),
    inputTokens: number("inputTokens"),
    outputTokens: number("outputTokens"),
    medianMs: number("medianMs"),
  };
  return measured.tasks > 0 ? measured : undefined;
}
