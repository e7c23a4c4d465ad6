/** Writes what a probe measured as rows that stand side by side, whoever measured them: Markdown or JSON. */

import { writeFile } from "node:fs/promises";
import { errorMessage, type Expected, refuse } from "../base/expected.ts";
import type { DialectMeasurement } from "../protocol/dialect-record.ts";

/** One format of one model. The times are those of one answer, so that servers can be compared. */
type ReportRow = {
  model: string;
  /** The kind of server, never its address. */
  server: string;
  /** "native", or the name of a dialect. */
  format: string;
  /** How the server held the model to the format while it wrote; "" if it did not. */
  constraint: string;
} & Omit<DialectMeasurement, "dialect">;

/** The file's name decides: `.json`, or `.md` for a table. */
export const isReportFile = (path: string): boolean => /\.(?:md|json)$/iu.test(path);

export function reportRow(
  { model, serverTitle }: { model: string; serverTitle: string },
  { dialect, ...measured }: DialectMeasurement,
): ReportRow {
  const [format = "", constraint = ""] = dialect.split("+", 2);
  return { model, server: serverTitle, format, constraint, ...measured };
}

export async function writeReport(path: string, rows: readonly ReportRow[]): Promise<Expected<undefined>> {
  const text = /\.json$/iu.test(path) ? JSON.stringify(rows, undefined, 2) : markdownTable(rows).join("\n");
  try {
    await writeFile(path, `${text}\n`);
    return { ok: true, value: undefined };
  } catch (error) {
    return refuse(`The report could not be written: ${errorMessage(error)}`);
  }
}

const head =
  "model|server|format|constraint|tasks right|unreadable|repaired|tokens in|tokens out|an answer|measured on";

/** The lines of a table. */
function markdownTable(rows: readonly ReportRow[]): string[] {
  const body = rows.map((row) => [
    row.model,
    row.server,
    row.format,
    row.constraint || "–",
    `${row.right} of ${row.tasks}`,
    String(row.unreadable),
    String(row.repaired),
    String(row.inputTokens),
    String(row.outputTokens),
    `${(row.medianMs / 1000).toFixed(1)} s`,
    new Date(row.at).toISOString().slice(0, 10),
  ]);
  const names = head.split("|");
  return [tableLine(names), `|${" --- |".repeat(names.length)}`, ...body.map(tableLine)];
}

const tableLine = (cells: readonly string[]): string => `| ${cells.map(inCell).join(" | ")} |`;

const inCell = (text: string): string => text.replaceAll(/[|\\]/gu, "\\$&").replaceAll(/\s+/gu, " ");
