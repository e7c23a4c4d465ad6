/** Parts of messages that show what an editor shows. */

import { expect, test } from "vitest";
import { type EditorProblem, mentionOf, problemsPart, selectionPart } from "./editor-parts.ts";

test("a selection is sent with its file and its lines, also what is not saved yet", () => {
  expect(selectionPart({ path: "src/total.js", from: 3, to: 4, text: "one\ntwo" })).toEqual({
    type: "text",
    file: "src/total.js:3-4",
    text: "[Lines 3 to 4 of src/total.js, selected in the editor]\n```\none\ntwo\n```",
  });
  expect(selectionPart({ path: "a.js", from: 7, to: 7, text: "x" }).file).toBe("a.js:7");
});

test("problems are one line each, errors first, and what is left out is counted", () => {
  const problem = (line: number, severity: EditorProblem["severity"]): EditorProblem => ({
    path: "a.ts",
    line,
    severity,
    message: "odd\n  thing",
  });
  const some = [problem(1, "warning"), problem(2, "error")];
  expect(problemsPart(some).text).toBe(
    "[Problems that the editor shows (2)]\n```\na.ts:2: error: odd thing\na.ts:1: warning: odd thing\n```",
  );
  const many = Array.from({ length: 120 }, (_, at) => problem(at, "error"));
  expect(problemsPart(many).text).toContain("\nand 20 more\n");
  expect(problemsPart([]).text).toBe("[The editor shows no problems]");
});

test("a path with spaces is named in quotes", () => {
  expect([mentionOf("src/a.ts"), mentionOf("my notes.md")]).toEqual(["@src/a.ts", '@"my notes.md"']);
});
