/** Converts the rows of dialect records to values. */

import { isObject, parseJson } from "../base/json.ts";
import type { DialectMeasurement, DialectRecord, ModelKey, ModelRecord } from "../protocol/dialect-record.ts";
import { type DatabaseRow, number, string } from "./rows.ts";

export function recordOf(row: DatabaseRow): DialectRecord {
  const dialect = string(row, "dialect");
  const counts = {
    calls: number(row, "calls"),
    repairs: number(row, "repairs"),
    refusals: number(row, "refusals"),
  };
  const measured = readMeasured(row["measured"], dialect);
  return measured ? { dialect, counts, measured } : { dialect, counts };
}

/** The models of all rows, as far as one of their dialects was measured. */
export function measuredIn(rows: readonly DatabaseRow[]): ModelRecord[] {
  const models = new Map<string, ModelRecord>();
  for (const row of rows) {
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
