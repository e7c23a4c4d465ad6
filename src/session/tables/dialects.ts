/** The table of dialect records per model. */

import { isObject, parseJson } from "../../base/json.ts";
import type {
  CallCounts,
  DialectMeasurement,
  DialectRecord,
  ModelKey,
  ModelRecord,
} from "../../protocol/dialect-record.ts";
import { type DatabaseRow, number, string } from "../rows.ts";
import type { TableWork } from "./work.ts";

/** Call within a transaction. */
export function* putMeasured(
  { server, model, template }: ModelKey,
  measured: readonly DialectMeasurement[],
): TableWork<void> {
  for (const one of measured)
    yield [
      `INSERT INTO dialects (server, model, template, dialect, measured) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (server, model, template, dialect)
       DO UPDATE SET measured = excluded.measured, calls = 0, repairs = 0, refusals = 0`,
      [server, model, template, one.dialect, JSON.stringify(one)],
    ];
}

export function* addCounts(
  { server, model, template }: ModelKey,
  dialect: string,
  { calls, repairs, refusals }: CallCounts,
): TableWork<void> {
  yield [
    `INSERT INTO dialects AS known (server, model, template, dialect, calls, repairs, refusals)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (server, model, template, dialect) DO UPDATE SET calls = known.calls + excluded.calls,
       repairs = known.repairs + excluded.repairs, refusals = known.refusals + excluded.refusals`,
    [server, model, template, dialect, calls, repairs, refusals],
  ];
}

export function* dialectsOf({ server, model, template }: ModelKey): TableWork<DialectRecord[]> {
  const rows = yield [
    "SELECT * FROM dialects WHERE server = $1 AND model = $2 AND template = $3",
    [server, model, template],
  ];
  return rows.map(recordOf);
}

/** The models with at least one dialect that was measured. */
export function* measuredModels(): TableWork<ModelRecord[]> {
  const models = new Map<string, ModelRecord>();
  for (const row of yield ["SELECT * FROM dialects"]) {
    const key: ModelKey = {
      server: string(row, "server"),
      model: string(row, "model"),
      template: string(row, "template"),
    };
    const name = JSON.stringify(key);
    const model = models.get(name) ?? { ...key, dialects: [] };
    model.dialects.push(recordOf(row));
    models.set(name, model);
  }
  return [...models.values()].filter(({ dialects }) => dialects.some(({ measured }) => measured));
}

function recordOf(row: DatabaseRow): DialectRecord {
  const dialect = string(row, "dialect");
  const counts = {
    calls: number(row, "calls"),
    repairs: number(row, "repairs"),
    refusals: number(row, "refusals"),
  };
  const measured = readMeasured(row["measured"], dialect);
  return measured ? { dialect, counts, measured } : { dialect, counts };
}

/** An unreadable measurement counts as never made. */
function readMeasured(text: unknown, dialect: string): DialectMeasurement | undefined {
  const parsed = typeof text === "string" ? parseJson(text) : undefined;
  if (!parsed?.ok || !isObject(parsed.value)) return undefined;
  const { value } = parsed;
  const figure = (name: Exclude<keyof DialectMeasurement, "dialect">): number =>
    typeof value[name] === "number" ? value[name] : 0;
  const measured = {
    dialect,
    at: figure("at"),
    tasks: figure("tasks"),
    right: figure("right"),
    repaired: figure("repaired"),
    unreadable: figure("unreadable"),
    inputTokens: figure("inputTokens"),
    outputTokens: figure("outputTokens"),
    medianMs: figure("medianMs"),
  };
  return measured.tasks > 0 ? measured : undefined;
}
