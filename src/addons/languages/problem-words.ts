/** Formats diagnostics for the model: location, message, and the source line. */

import { cutLine } from "../../base/cut-text.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { textAt } from "./files.ts";
import { indexIn, linesOf, type DocumentPosition, type Unit } from "./positions.ts";
import { isError, type Problem } from "./problems.ts";
import type { News } from "./shown-changes.ts";

type ProblemContext = { files: Tree; unit: Unit };

const longestLine = 160;
/** Problems shown to the model at a time. */
const mostTold = 20;

/** One block per diagnostic, in order, up to the limit; `left`: the number omitted. */
export async function problemLines(
  found: readonly News[],
  context: ProblemContext,
): Promise<{ lines: string[]; left: number }> {
  const lines: string[] = [];
  let shown = 0;
  let all = 0;
  for (const { path, problems } of found) {
    all += problems.length;
    if (shown >= mostTold) continue;
    const text = linesOf((await textAt(context.files, path)) ?? "");
    for (const problem of problems.slice(0, mostTold - shown)) {
      lines.push(...asLines(path, problem, { text, unit: context.unit }));
      shown += 1;
    }
  }
  return { lines, left: all - shown };
}

function asLines(path: string, problem: Problem, { text, unit }: { text: string[]; unit: Unit }): string[] {
  const { severity, message, source, code, at } = problem;
  const line = text[at.line];
  const about = [source, code].filter((word) => word !== undefined).join(" ");
  return [
    `${path}:${placeIn(at, line, unit)} ${severity}: ${message}${about === "" ? "" : ` (${about})`}`,
    ...(line === undefined || line.trim() === "" ? [] : [`    ${cutLine(line.trim(), longestLine)}`]),
  ];
}

/** "line:column", both from 1, columns in UTF-16. */
export const placeIn = (at: DocumentPosition, line: string | undefined, unit: Unit): string =>
  `${at.line + 1}:${(line === undefined ? at.character : indexIn(line, at.character, unit)) + 1}`;

/** New diagnostics after a change: errors with their source lines, warnings only as a count. */
export async function newsWords(
  name: string,
  news: readonly News[],
  context: ProblemContext,
): Promise<string> {
  const errors = news.flatMap(({ path, problems }) => {
    const own = problems.filter(isError);
    return own.length > 0 ? [{ path, problems: own }] : [];
  });
  const warnings = news.flatMap(({ problems }) => problems).filter((problem) => !isError(problem)).length;
  const count = errors.flatMap(({ problems }) => problems).length;
  if (count === 0) {
    return warnings === 0
      ? `[${name}: no new problems.]`
      : `[${name}: no new errors, ${countWords(warnings, "new warning")}.]`;
  }
  const { lines, left } = await problemLines(errors, context);
  const also = warnings === 0 ? "" : `, and ${countWords(warnings, "new warning")}`;
  return [
    `[${name}: ${countWords(count, "new error")}${also} since this change:`,
    ...lines,
    left === 0 ? "]" : `and ${left} more]`,
  ].join("\n");
}

export const mayBeMore = "[The server is still at work: there may be more.]";

/** A reader of "no problems" must know that not everything was checked. */
export const complaintNote = (name: string, complaint: string): string =>
  `[${name}: the language server cannot check everything. It says: ${complaint}]`;

export const countWords = (count: number, of: string): string => `${count} ${of}${count === 1 ? "" : "s"}`;
