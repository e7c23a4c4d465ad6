/** Formats a probe's measurements for people: a table and remarks below it. */

import type { DialectMeasurement } from "../protocol/dialect-record.ts";
import { visibleLine } from "../view/visible.ts";
import { columns } from "./cli-context.ts";

/** The result of one dialect. */
export type ProbeRow = {
  measured: DialectMeasurement;
  /** How many tasks that want calls were right. */
  called: number;
  gaveUp?: string;
  problems: { task: string; problem: string }[];
};

export function probeLines(rows: readonly ProbeRow[], all: number): string[] {
  if (rows.length === 0) return ["Nothing was measured."];
  const head = ["dialect", "right", "repaired", "unreadable", "tokens in", "tokens out", "an answer"];
  const body = rows.map(({ measured: one }) => [
    one.dialect,
    `${one.right}/${one.tasks}${one.tasks < all ? ` of ${all}` : ""}`,
    String(one.repaired),
    String(one.unreadable),
    inTokens(one.inputTokens),
    inTokens(one.outputTokens),
    inSeconds(one.medianMs),
  ]);
  const given = rows.flatMap(({ measured, gaveUp }) =>
    gaveUp === undefined ? [] : [`${measured.dialect} was given up: ${brief(gaveUp)}`],
  );
  return [...columns([head, ...body]), ...given];
}

/** The problem in each task, for --verbose. */
export const problemLines = (rows: readonly ProbeRow[]): string[] =>
  rows.flatMap(({ measured, problems }) =>
    problems.map(({ task, problem }) => `${measured.dialect}, ${task}: ${brief(problem)}`),
  );

const inTokens = (count: number): string => (count === 0 ? "–" : String(count));
const inSeconds = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

const mostShown = 200;
function brief(words: string): string {
  const line = visibleLine(words);
  return line.length <= mostShown ? line : `${line.slice(0, mostShown).toWellFormed()}…`;
}
