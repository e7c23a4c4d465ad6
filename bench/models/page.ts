/** Writes measurements into the tables of docs/measured-models.md. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { median, quantile } from "../figures.ts";
import type { AnswerRecord } from "./answers.ts";
import type { EditRecord } from "./edits.ts";

const page = join(import.meta.dirname, "..", "..", "docs", "measured-models.md");

/** The cells of a table's head name it. */
type Table = { head: readonly string[]; rows: readonly (readonly string[])[] };

/** Puts a table's rows in the place of those of the same model; those of other models stay. */
export async function writeRows({ head, rows }: Table): Promise<void> {
  const lines = (await readFile(page, "utf8")).trimEnd().split("\n");
  const at = lines.indexOf(lineOf(head));
  if (at < 0) throw new Error(`${page} has no table ${head.join(", ")}.`);
  const end = lines.findIndex((line, index) => index > at && !line.startsWith("|"));
  const behind = end < 0 ? [] : lines.slice(end);
  const fresh = new Set(rows.map(([model]) => model));
  const before = lines.slice(at + 2, end < 0 ? undefined : end);
  const staying = before.filter((line) => !fresh.has(cellsOf(line)[0]));
  const body = [...staying, ...rows.map(lineOf)].toSorted();
  await writeFile(page, `${[...lines.slice(0, at + 2), ...body, ...behind].join("\n")}\n`);
}

const lineOf = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
export const cellsOf = (line: string): string[] => line.slice(2, -2).split(" | ");

type Measured<T> = { model: string; records: readonly (T & { at: number })[] };

export function answersTable({ model, records }: Measured<AnswerRecord>): Table {
  const rows = groups(records, ({ way }) => way).map(([way, answers]) => {
    const [format = "", constraint = "–"] = way.split("+");
    const calls = sum(answers, (one) => one.calls);
    const cut = sum(answers, (one) => one.cut);
    const silent = answers.filter(({ demands, calls: none }) => demands !== "nothing" && none === 0);
    const speeds = answers.filter(({ tokens }) => tokens > 20).map((one) => one.tokens / one.writingMs);
    return [
      model,
      format,
      constraint,
      String(answers.length),
      String(calls),
      String(cut),
      shareOf(
        sum(answers, (one) => one.valid),
        calls - cut,
      ),
      String(silent.length),
      (median(speeds) * 1000).toFixed(1),
      dayOf(records),
    ];
  });
  const head =
    "model|format|constraint|answers|calls|cut off|valid, of those not cut off|none, though demanded|tokens a second|measured on";
  return { head: head.split("|"), rows };
}

export function editsTable({ model, records }: Measured<EditRecord>): Table {
  const nameOf = ({ held, small }: EditRecord): string =>
    `${held ? "tags" : "–"}|${small ? "small" : "usual"}`;
  const rows = groups(records, nameOf).map(([name, sessions]) => {
    const right = sessions.filter((one) => one.right);
    return [
      model,
      ...name.split("|"),
      shareOf(right.length, sessions.length),
      String(sessions.filter((one) => one.changed && !one.right).length),
      String(sum(sessions, (one) => one.calls)),
      String(sum(sessions, (one) => one.failedCalls)),
      mean(sessions, (one) => one.rounds).toFixed(1),
      mean(sessions, (one) => one.inputTokens).toFixed(0),
      mean(sessions, (one) => one.outputTokens).toFixed(0),
      `${(
        quantile(
          sessions.map(({ ms }) => ms),
          0.5,
        ) / 1000
      ).toFixed(1)} s`,
      dayOf(records),
    ];
  });
  const head =
    "model|constraint|way|edits right|changed otherwise|calls|calls failed|rounds|tokens in|tokens out|a session|measured on";
  return { head: head.split("|"), rows };
}

function groups<T>(all: readonly T[], nameOf: (one: T) => string): [string, T[]][] {
  const found = new Map<string, T[]>();
  for (const one of all) found.set(nameOf(one), [...(found.get(nameOf(one)) ?? []), one]);
  return [...found];
}

const sum = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((soFar, one) => soFar + of(one), 0);
const mean = <T>(all: readonly T[], of: (one: T) => number): number => sum(all, of) / all.length;
const shareOf = (part: number, of: number): string => (of === 0 ? "–" : `${part} of ${of}`);
const dayOf = (all: readonly { at: number }[]): string =>
  new Date(Math.max(...all.map(({ at }) => at))).toISOString().slice(0, 10);
