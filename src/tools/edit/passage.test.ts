import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findPassage, type PassageOptions, isTogether, occurrences } from "./passage.ts";

const file = [
  "import a",
  "",
  "function one() {",
  "\tconst x = 1;",
  "\treturn x;",
  "}",
  "",
  "function two() {",
  "\tconst y = “2”;",
  "\treturn y;",
  "}",
];

/** How and where lines are found, as a short text. */
function found(passage: readonly string[], options: PassageOptions = {}): string {
  const one = findPassage(file, passage, options);
  if (one.found === "once") return `${one.tolerance} ${one.line}+${one.lines}`;
  if (one.found === "often") return `${one.tolerance} at ${one.lines.join(", ")}`;
  return `nowhere, nearest ${one.nearest?.line}`;
}

test("lines are found with the least tolerance that works", () => {
  expect(found(["function two() {"])).toBe("exact 7+1");
  expect(found(["function two() { ", "\tconst y = “2”;"])).toBe("trailing-space 7+2");
  expect(found(["function one() {", "  const x = 1;"])).toBe("indentation 2+2");
  expect(found(["  const x = 1;", "  return x;"])).toBe("indentation 3+2");
  expect(found(["function two() {", '    const y = "2";'])).toBe("look-alikes 7+2");
  expect(found(["nothing", "of", "this"])).toBe("nowhere, nearest undefined");
});

test("between identical places only a line number or the end of the file decides", () => {
  expect(found(["}"])).toBe("exact at 5, 10");
  expect(found(["}"], { expectedAt: 10 })).toBe("exact 10+1");
  expect(found(["}"], { expectedAt: 9 })).toBe("exact at 5, 10");
  expect(found(["}"], { from: 6 })).toBe("exact 10+1");
  expect(found(["}"], { atEnd: true })).toBe("exact 10+1");
  expect(found(["\treturn x;"], { atEnd: true })).toContain("nowhere");
});

test("brackets alone are not matched with tolerance for indentation", () => {
  expect(found(["\t}"])).toContain("nowhere");
});

test("context lines may differ from the file, lines to be removed may not", () => {
  const stale = ["// Two.", "function two() {", '\tconst y = "2";', "\treturn y;", "}"];
  expect(found(stale)).toBe("nowhere, nearest 7");
  expect(found(stale, { kept: [true, true, true, false, true] })).toBe("nearest 7+4");
  expect(found(stale, { kept: [false, true, true, true, true] })).toBe("nowhere, nearest 7");
  const shorter = ["function one() {", "\treturn x;", "}", "", "function two() {"];
  expect(findPassage(file, shorter, { kept: [true, false, true, true, true] })).toMatchObject({
    tolerance: "nearest",
    places: [2, 4, 5, 6, 7],
    lines: 6,
  });
  // Another line is between the first and the second: the two cannot be removed as one piece.
  expect(found(shorter, { kept: [false, false, true, true, true] })).toBe("nowhere, nearest 2");
  expect(found(shorter, { kept: [true, true, true, true, true], inserts: [1] })).toBe("nowhere, nearest 2");
  expect(found(shorter, { kept: [true, true, true, true, true], inserts: [3] })).toBe("nearest 2+6");
});

test("a line that could match any of several identical ones matches none", () => {
  const list = ["const all = [", "  nothing,", "  nothing,", "  nothing,", "];", "use(all);", "show(all);"];
  const passage = [
    "const all = [",
    "  nothing,",
    "  nothing,",
    "  nothing,",
    "  nothing,",
    "];",
    "use(all);",
  ];
  const kept = passage.map((_, at) => at !== 2);
  expect(findPassage(list, passage, { kept })).toMatchObject({ found: "nowhere" });
  expect(findPassage(list, passage, { kept: passage.map((_, at) => at !== 6) })).toMatchObject({
    found: "once",
  });
});

test("a near place is not accepted if another comes close", () => {
  const twins = [
    "a {",
    "  one();",
    "  two();",
    "  three(1);",
    "}",
    "a {",
    "  one();",
    "  two();",
    "  three(2);",
    "}",
  ];
  const passage = ["a {", "  one();", "  two();", "  three(3);", "}"];
  expect(findPassage(twins, passage, { kept: [true, false, true, true, true] })).toMatchObject({
    found: "nowhere",
  });
});

test("an empty passage matches only at a given place", () => {
  expect(found([])).toBe("nowhere, nearest undefined");
  expect(found([], { expectedAt: 3 })).toBe("exact 3+0");
  expect(found([], { atEnd: true })).toBe("exact 11+0");
  expect(findPassage([], [])).toMatchObject({ found: "once", line: 0 });
});

test("isTogether is true only between adjacent lines", () => {
  expect([0, 1, 2, 3].map((at) => isTogether([4, 5, 7], at))).toEqual([true, true, false, true]);
  expect([0, 1, 2].map((at) => isTogether([undefined, 5], at))).toEqual([false, false, true]);
});

test("all occurrences are found, including overlapping ones", () => {
  const letter = fc.constantFrom("a", "b");
  fc.assert(
    fc.property(fc.array(letter), fc.array(letter, { minLength: 1, maxLength: 4 }), (all, wanted) => {
      const starts = all.flatMap((_, at) =>
        wanted.every((one, line) => all[at + line] === one) ? [at] : [],
      );
      expect(occurrences(all, wanted)).toEqual(starts);
    }),
  );
});
