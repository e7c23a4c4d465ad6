import fc from "fast-check";
import { expect, test } from "vitest";
import { KnownProblems, newOf, type Problem, problemsIn } from "./problems.ts";

const at = (line: number, message: string): Problem => ({
  severity: "error",
  at: { line, character: 0 },
  message,
});

test("a moved problem is not new; of identical problems, only the additional ones are", () => {
  expect(newOf([at(7, "a"), at(9, "b")], [at(1, "a"), at(2, "b")])).toEqual([]);
  expect(newOf([at(1, "a"), at(5, "a"), at(9, "b")], [at(1, "a")])).toEqual([at(5, "a"), at(9, "b")]);
});

test("identical lists have no new problems, and against an empty list all are new", () => {
  const problem = fc.record({
    severity: fc.constantFrom("error" as const, "warning" as const),
    at: fc.record({ line: fc.nat(20), character: fc.nat(5) }),
    message: fc.constantFrom("a", "b", "c"),
  });
  fc.assert(
    fc.property(fc.array(problem), fc.array(problem), (before, added) => {
      expect(newOf(before, before)).toEqual([]);
      expect(newOf(before, [])).toHaveLength(before.length);
      expect(newOf([...before, ...added], before)).toHaveLength(added.length);
    }),
  );
});

const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 3 } };

test("diagnostics are read leniently: hints and invalid entries are skipped", () => {
  expect(
    problemsIn([
      { range, severity: 1, message: "one", source: "ts", code: 2322 },
      { range, severity: 2, message: { kind: "markdown", value: "two" }, code: { value: 1 } },
      { range, message: "no severity" },
      { range, severity: 4, message: "a hint" },
      { range: { start: { line: -1, character: 0 }, end: range.end }, message: "nowhere" },
      { range: { start: { line: 1.5, character: 1e300 }, end: range.end }, message: "nowhere" },
      { range, message: 7 },
      null,
      "x",
    ]),
  ).toEqual([
    { severity: "error", at: range.start, message: "one", source: "ts", code: "2322" },
    { severity: "warning", at: range.start, message: "two" },
    { severity: "error", at: range.start, message: "no severity" },
  ]);
  expect(problemsIn({})).toEqual([]);
  fc.assert(fc.property(fc.array(fc.jsonValue()), (list) => void problemsIn(list)));
});

test("terminal escapes are removed from diagnostics, and long messages are truncated", () => {
  const [problem] = problemsIn([{ range, message: `\u001B[31mred\u001B[0m ${"x".repeat(5000)}` }]);
  expect(problem?.message).toMatch(/^red x+…$/);
  expect(problem?.message.length).toBeLessThan(700);
  const [other] = problemsIn([{ range, message: "x", source: "\u001B[2Jts\nand", code: "\u001B[31mE\n1" }]);
  expect(other).toMatchObject({ source: "ts; and", code: "E; 1" });
});

test("diagnostics of the server and the compiler at the same place with the same code are merged", () => {
  const known = new KnownProblems();
  known.sent("a", [{ ...at(1, "mismatched types"), code: "E0308" }], { version: 1, isOther: false });
  known.answered("a", [{ ...at(1, "expected f64, found f32"), code: "E0308" }]);
  expect(known.of("a").map(({ message }) => message)).toEqual(["expected f64, found f32"]);
});

test("diagnostics of an older version than already received are ignored", () => {
  const known = new KnownProblems();
  known.sent("a", [at(1, "new")], { version: 3, isOther: false });
  known.sent("a", [at(1, "old")], { version: 2, isOther: false });
  expect(known.of("a")).toEqual([at(1, "new")]);
  known.sent("a", [], { version: undefined, isOther: false });
  expect(known.of("a")).toEqual([]);
});

test("a diagnostic that is both pushed and pulled is listed once", () => {
  const known = new KnownProblems();
  known.sent("a", [at(1, "x"), at(0, "y")], { version: 1, isOther: false });
  known.answered("a", [at(1, "x")]);
  expect(known.of("a")).toEqual([at(0, "y"), at(1, "x")]);
});

test("unversioned diagnostics of a file opened with other text are ignored once the server names versions", () => {
  const [closed, open] = [{ isOther: false }, { isOther: true }];
  for (const known of [new KnownProblems(true), new KnownProblems()]) {
    known.sent("elsewhere", [], { version: 1, ...open });
    known.sent("a", [at(1, "of the disk")], { version: undefined, ...open });
    known.sent("b", [at(1, "counts")], { version: undefined, ...closed });
    expect(known.of("a")).toEqual([]);
    expect(known.of("b")).toHaveLength(1);
  }
  const without = new KnownProblems();
  without.sent("a", [at(1, "counts")], { version: undefined, ...open });
  expect(without.of("a")).toHaveLength(1);
});
