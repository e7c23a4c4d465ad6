import { expect, test } from "vitest";
import { nearestWords } from "./nearest-words.ts";

const file = [
  "one {",
  "  first = 1;",
  "  second = 2;",
  "  third = 3;",
  "}",
  "",
  "two {",
  "  fourth = 4;",
  "}",
];
const difference = (...passage: string[]): string | undefined =>
  nearestWords(file, passage, "`old`").difference;

test("the first difference is reported with its line", () => {
  expect(difference("one {", "  first = 1;", "  second = 9;", "  third = 3;")).toBe(
    "line 3 is `second = 2;`, where `old` has `second = 9;`",
  );
  expect(difference("zero {", "  first = 1;", "  second = 2;")).toBe(
    "line 1 is `one {`, where `old` has `zero {`",
  );
  expect(difference("  first = 1;", "  third = 3;")).toBe("line 3, `second = 2;`, is not in `old`");
  expect(difference("  first = 1;", "  middle();", "  second = 2;")).toBe(
    "below line 2 there is no line `middle();`, which `old` has there",
  );
  expect(difference("one {", "  first = 1;")).toBeUndefined();
  expect(difference("nothing of it")).toBeUndefined();
});

test("long lines with a common beginning are reported as different", () => {
  const long = "word ".repeat(100);
  const told = nearestWords(["first line", `${long}a ${long}`], ["first line", `${long}b ${long}`], "`old`");
  expect(told.difference).toBe("line 2 is another than in `old`, though it begins like it");
});

test("where no line is identical, the most similar one is shown", () => {
  const lines = [
    ...Array.from({ length: 40 }, (_, at) => `const other${at} = ${at};`),
    "function twoOfThem(a, b) {",
  ];
  expect(nearestWords(lines, ["function twoOfUs(a, b) {"], "`old`").shown).toContain(
    "41\tfunction twoOfThem(a, b) {",
  );
  expect(nearestWords(lines, ["zzz"], "`old`").shown).toBeUndefined();
  expect(nearestWords(["北京市的天气很好", ...lines], ["北京市的天气不好"], "`old`").shown).toContain(
    "1\t北京市",
  );
});

test("a short file is shown whole, a long one only around the place", () => {
  expect(nearestWords(file, ["zzz"], "`old`").shown?.split("\n")).toHaveLength(9);
  const lines = Array.from({ length: 500 }, (_, at) => `line number ${at}`);
  const shown =
    nearestWords(lines, lines.slice(100, 300).with(150, "gone"), "`old`").shown?.split("\n") ?? [];
  expect(shown.length).toBeLessThan(25);
  expect(shown).toContain("251\tline number 250");
});
