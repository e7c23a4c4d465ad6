import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { expandBraces } from "./braces.ts";

/** Only for plain characters and braces: then bash prints exactly the result of its brace expansion. */
function bashes(words: readonly string[]): string[] {
  const script = words.map((word) => `printf '%s ' _${word}; echo`).join("\n");
  const printed = execFileSync("bash", ["--noprofile", "--norc", "-fc", script], { encoding: "utf8" });
  return printed
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
}

const ours = (word: string): string => (expandBraces(`_${word}`) ?? ["too many"]).join(" ");

test.each([
  ["{rm,-rf,x}", "_rm _-rf _x"],
  ["a{b,c}d{1..3}", "_abd1 _abd2 _abd3 _acd1 _acd2 _acd3"],
  ["{a,{b,c}}", "_a _b _c"],
  ["{3..1}", "_3 _2 _1"],
  ["{a..e..2}", "_a _c _e"],
  ["{a}", "_{a}"],
  ["{}", "_{}"],
  ["{,x}", "_ _x"],
])("%s becomes %s", (word, words) => {
  expect(ours(word)).toBe(words);
});

test("braces inside quotes, escapes and substitutions are not expanded", () => {
  for (const word of [
    '"{a,b}"',
    "'{a,b}'",
    "\\{a,b}",
    "$(echo {a,b})",
    "${x-{a,b}",
    "`echo {a,b}`",
    '"a $(echo "{a,b}") b"',
  ])
    expect(expandBraces(word)).toEqual([word]);
});

test("an expansion to too many words is refused", () => {
  expect(expandBraces("{1..100000}")).toBeUndefined();
  expect(expandBraces("{a,b}".repeat(20))).toBeUndefined();
});

test("braces are expanded as in bash", () => {
  const piece = fc.constantFrom("a", "b", "{", "}", ",", "{a,b}", "{1..3}", "x{", "},", "{,}", "..", "1");
  const words = fc.sample(
    fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join("")),
    400,
  );
  const expected = bashes(words);
  for (const [at, word] of words.entries())
    if (expandBraces(word)) expect([word, ours(word)]).toEqual([word, expected[at]]);
});
