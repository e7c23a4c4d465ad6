/** Which of an editor's problems a change brought and which it mended, and how a model is told. */

import type { EditorProblem, FileProblems } from "./editor-powers.ts";

type ProblemNews = { appeared: readonly FileProblems[]; mended: number };

/** Lines move when a file is edited, so a problem is known by its words; of equal ones the number counts. */
export function problemNews(before: readonly FileProblems[], after: readonly FileProblems[]): ProblemNews {
  const known = new Map(before.map(({ path, problems }) => [path, problems]));
  const now = new Map(after.map(({ path, problems }) => [path, problems]));
  const appeared = after.flatMap(({ path, problems }) => {
    const more = surplus(problems, known.get(path) ?? []);
    return more.length === 0 ? [] : [{ path, problems: more }];
  });
  const gone = before.map(({ path, problems }) => surplus(problems, now.get(path) ?? []).length);
  return { appeared, mended: gone.reduce((sum, count) => sum + count, 0) };
}

/** The last of equal problems count as the new ones. */
function surplus(of: readonly EditorProblem[], over: readonly EditorProblem[]): EditorProblem[] {
  const left = new Map<string, number>();
  for (const problem of over) left.set(keyOf(problem), (left.get(keyOf(problem)) ?? 0) + 1);
  return of.filter((problem) => {
    const known = left.get(keyOf(problem)) ?? 0;
    left.set(keyOf(problem), known - 1);
    return known <= 0;
  });
}

const keyOf = ({ severity, message, source = "", code = "" }: EditorProblem): string =>
  JSON.stringify([severity, message, source, code]);

/** What TypeScript's server said when it was asked stands for what the editor shows of it. */
export function withAsked(
  shown: readonly FileProblems[],
  asked: ReadonlyMap<string, readonly EditorProblem[]>,
): FileProblems[] {
  const byOthers = shown.flatMap(({ path, problems }) => {
    const left = asked.has(path) ? problems.filter(({ source }) => source !== "ts") : problems;
    return left.length === 0 ? [] : [{ path, problems: left }];
  });
  const all = new Map(byOthers.map(({ path, problems }) => [path, problems]));
  for (const [path, problems] of asked) all.set(path, [...problems, ...(all.get(path) ?? [])]);
  return [...all].map(([path, problems]) => ({ path, problems }));
}

/** Problems told at a time. */
const mostTold = 20;

/** One line a problem, errors first. */
export function problemLines(files: readonly FileProblems[]): string[] {
  const all = files.flatMap(({ path, problems }) => problems.map((problem) => ({ path, problem })));
  const ordered = [...all.filter(isError), ...all.filter((one) => !isError(one))];
  const lines = ordered.slice(0, mostTold).map(({ path, problem }) => problemLine(path, problem));
  return ordered.length > mostTold ? [...lines, `and ${ordered.length - mostTold} more`] : lines;
}

const isError = ({ problem }: { problem: EditorProblem }): boolean => problem.severity === "error";

function problemLine(path: string, { severity, line, column, message, source, code }: EditorProblem): string {
  const about = [source, code].filter((word) => word !== undefined).join(" ");
  const words = message.replaceAll(/\s*\n\s*/gu, " ");
  return `${path}:${line}:${column} ${severity}: ${words}${about === "" ? "" : ` (${about})`}`;
}

/** What a model reads with the result of its change; empty if there is nothing to say. */
export function newsWords({ appeared, mended }: ProblemNews, isSettled: boolean): string {
  const count = appeared.reduce((sum, { problems }) => sum + problems.length, 0);
  const also = [
    ...(mended === 0 ? [] : [`${countOf(mended, "problem")} mended`]),
    ...(isSettled ? [] : ["it is still checking, so there may be more"]),
  ];
  if (count === 0) return also.length === 0 ? "" : `[The editor shows no new problems; ${also.join("; ")}.]`;
  const head = `The editor shows ${countOf(count, "new problem")} since this change`;
  return `[${[head, ...also].join("; ")}:\n${problemLines(appeared).join("\n")}]`;
}

const countOf = (count: number, of: string): string => `${count} ${of}${count === 1 ? "" : "s"}`;
