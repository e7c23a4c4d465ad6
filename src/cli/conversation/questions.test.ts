/** Tests how a typed line is parsed as an answer. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAnswer } from "./questions.ts";

test("a single letter or word is an answer, in upper or lower case", () => {
  const answers = ["y", "Yes ", "t", "this turn", "S", "session", "n", "NO"].map((line) => parseAnswer(line));
  expect(answers).toEqual([
    { answer: "allow", scope: "once" },
    { answer: "allow", scope: "once" },
    { answer: "allow", scope: "turn" },
    { answer: "allow", scope: "turn" },
    { answer: "allow", scope: "session" },
    { answer: "allow", scope: "session" },
    { answer: "deny", scope: "once" },
    { answer: "deny", scope: "once" },
  ]);
});

test("only the offered scopes are accepted as answers", () => {
  expect(parseAnswer("p")).toBeUndefined();
  expect(parseAnswer("p", ["once", "project"])).toEqual({ answer: "allow", scope: "project" });
  expect(parseAnswer("Project", ["once", "project"])).toEqual({ answer: "allow", scope: "project" });
  for (const line of ["t", "s", "session", "project"]) expect(parseAnswer(line, ["once"])).toBeUndefined();
  expect(parseAnswer("y", ["once"])).toEqual({ answer: "allow", scope: "once" });
});

test("other words are a denial with that reason, with or without a leading no", () => {
  expect(parseAnswer("use make instead")).toEqual({
    answer: "deny",
    scope: "once",
    note: "use make instead",
  });
  expect(parseAnswer("No, use make")).toEqual({ answer: "deny", scope: "once", note: "use make" });
  expect(parseAnswer("n: ok")).toEqual({ answer: "deny", scope: "once", note: "ok" });
});

test("a typo or an empty line is not an answer", () => {
  expect(["", "  ", "u", "yy", "ye"].map((line) => parseAnswer(line))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("only the exact words of consent allow anything", () => {
  const yes = new Set(["y", "yes", "t", "turn", "this turn", "s", "session", "this session"]);
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("y", "e", "s", "t", "n", "o", " ", "\n", "!") }),
      (line) => {
        expect(parseAnswer(line)?.answer === "allow").toBe(yes.has(line.trim()));
      },
    ),
  );
});
