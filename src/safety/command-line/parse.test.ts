import { expect, test } from "vitest";
import { parseShell } from "./parse.ts";

const problemOf = (text: string): string | undefined => {
  const parsed = parseShell(text);
  return parsed.ok ? undefined : parsed.problem;
};

test.each([
  "x=>(ls) rm a",
  "x=y<(ls) rm a",
  "x=<(ls)y rm a",
  "a[1]=<(ls) rm a",
  "env A=<(ls) rm a",
  "echo $(x=>(ls) rm a)",
  "a=(x~ $(rm x))\\f",
  "a=(x)y; rm a",
])("text that the parser reads differently from bash is rejected: %s", (text) => {
  expect(problemOf(text)).toMatch(/^it cannot be parsed/u);
});

test.each(["diff <(a) <(b)", "tee >(wc)>f 2> >(cat)", "cat <(a)|b;c", "x=(a b) y=$(z)c w", "(cat <(a))"])(
  "text that only resembles such a difference is accepted: %s",
  (text) => {
    expect(problemOf(text)).toBeUndefined();
  },
);

test.each([
  ["a".repeat(70_000), "it is too long to be understood"],
  ["a\0", "it holds a NUL character"],
  ["$(".repeat(100), "it is nested too deeply to be understood"],
  ["cat <<A ".repeat(100), "it has more heredocs than can be followed"],
  ["if", "it cannot be parsed"],
])("rejected text comes with the reason", (text, problem) => {
  expect(problemOf(text)).toContain(problem);
});
