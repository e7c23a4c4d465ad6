import { expect, test } from "vitest";
import type { EditorProblem, FileProblems } from "./editor-powers.ts";
import { newsWords, problemLines, problemNews, withAsked } from "./problem-news.ts";

const problem = (
  message: string,
  line = 1,
  severity: EditorProblem["severity"] = "error",
): EditorProblem => ({
  severity,
  line,
  column: 3,
  message,
  source: "ts",
  code: "2322",
});
const file = (path: string, ...problems: EditorProblem[]): FileProblems => ({ path, problems });

test("a problem that only moved to another line is not new", () => {
  const news = problemNews([file("a.ts", problem("bad", 3))], [file("a.ts", problem("bad", 9))]);
  expect(news).toEqual({ appeared: [], mended: 0 });
  expect(newsWords(news, true)).toBe("");
});

test("of equal problems as many are new as were added", () => {
  const before = [file("a.ts", problem("bad", 1))];
  const after = [file("a.ts", problem("bad", 1), problem("bad", 2), problem("bad", 3))];
  expect(problemNews(before, after).appeared).toEqual([file("a.ts", problem("bad", 2), problem("bad", 3))]);
  expect(problemNews(after, before)).toEqual({ appeared: [], mended: 2 });
});

test("a problem in another file than the changed one is told, errors before warnings", () => {
  const after = [file("b.ts", problem("unused", 2, "warning")), file("c.ts", problem("no such\n  member"))];
  const news = problemNews([file("a.ts", problem("old"))], after);
  expect(newsWords(news, true).split("\n")).toEqual([
    "[The editor shows 2 new problems since this change; 1 problem mended:",
    "c.ts:1:3 error: no such member (ts 2322)",
    "b.ts:2:3 warning: unused (ts 2322)]",
  ]);
});

test("a reader of no new problems knows when the editor was not done", () => {
  expect(newsWords({ appeared: [], mended: 0 }, false)).toBe(
    "[The editor shows no new problems; it is still checking, so there may be more.]",
  );
});

test("a flood of problems is cut and counted", () => {
  const many = Array.from({ length: 50 }, (_, at) => problem(`bad ${at}`));
  const lines = problemLines([file("a.ts", ...many)]);
  expect([lines.length, lines.at(-1)]).toEqual([21, "and 30 more"]);
});

test("what TypeScript was asked stands for what the editor shows of it, beside what others say", () => {
  const lint = { ...problem("unused"), source: "eslint" };
  const shown = [file("a.ts", problem("stale"), lint), file("b.ts", problem("other"))];
  const asked = new Map([
    ["a.ts", [problem("new")]],
    ["c.ts", [problem("unseen")]],
  ]);
  expect(withAsked(shown, asked)).toEqual([
    file("a.ts", problem("new"), lint),
    file("b.ts", problem("other")),
    file("c.ts", problem("unseen")),
  ]);
});
