/** Tests vi's commands on the input. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { scale } from "../../testing/scale.ts";
import { characterKey } from "./key.ts";
import { TextField } from "./text-field.ts";
import { ViKeys } from "./vi-keys.ts";

/** `marked`: the text with a bar before the cursor; in normal mode, unless keys change it. */
function after(marked: string, keys: string): string {
  const field = new TextField();
  const vi = new ViKeys(field);
  const [before = "", rest = ""] = marked.split("|");
  field.type(before + rest);
  vi.press(characterKey("\u001b"));
  const lines = before.split("\n");
  field.moveTo({ line: lines.length - 1, at: lines.at(-1)?.length ?? 0 });
  for (const key of keys) if (!vi.press(characterKey(key))) field.type(key);
  const { line, at } = field.cursor;
  return field.lines
    .map((text, row) => (row === line ? `${text.slice(0, at)}|${text.slice(at)}` : text))
    .join("\n");
}

test.for<[string, string, string]>([
  ["ab|c", "h", "a|bc"],
  ["|abc", "2l", "ab|c"],
  ["|abc", "9l", "ab|c"],
  ["|one two.x", "w", "one |two.x"],
  ["|one two.x", "2w", "one two|.x"],
  ["|one two.x y", "2W", "one two.x |y"],
  ["one two|.x", "b", "one |two.x"],
  ["|one two", "e", "on|e two"],
  ["on|e two", "e", "one tw|o"],
  ["  ab|c", "0", "|  abc"],
  ["  ab|c", "^", "  |abc"],
  ["|abc", "$", "ab|c"],
  ["|ab\ncd", "j", "ab\n|cd"],
  ["ab\n|cd", "k", "|ab\ncd"],
  ["a|b", "ix", "ax|b"],
  ["|ab", "ax", "ax|b"],
  ["  a|b", "Ix", "  x|ab"],
  ["|ab", "Ax", "abx|"],
  ["|ab\ncd", "ox", "ab\nx|\ncd"],
  ["ab\n|cd", "Ox", "ab\nx|\ncd"],
  ["|abc", "x", "|bc"],
  ["|abc", "2x", "|c"],
  ["ab|c", "X", "a|c"],
  ["a|bc d", "D", "|a"],
  ["a|bc d", "Cx", "ax|"],
  ["|one two", "dw", "|two"],
  ["|one two three", "d2w", "|three"],
  ["|one two three", "2dw", "|three"],
  ["one |two\nx", "dw", "one| \nx"],
  ["|one two", "cwx", "x| two"],
  ["one tw|o", "db", "one |o"],
  ["one two |x", "cby", "one y|x"],
  ["a|bc", "d$", "|a"],
  ["|one two", "de", "| two"],
  ["a\n|b\nc", "dd", "a\n|c"],
  ["a\n|b", "dd", "|a"],
  ["|a", "dd", "|"],
  ["|a\nb\nc", "2dd", "|c"],
  ["|a\nb\nc", "dj", "|c"],
  ["a\nb\n|c", "dk", "|a"],
  ["a\nb|c\nd", "ccx", "a\nx|\nd"],
  ["|a\nb", "yyp", "a\n|a\nb"],
  ["a\n|b", "yyP", "a\n|b\nb"],
  ["|abc", "xp", "b|ac"],
  ["|abc", "x2p", "ba|ac"],
  ["|one two", "ywP", "one| one two"],
  ["|one two", "dwu", "|one two"],
  ["|a.b.c", "f.", "a|.b.c"],
  ["|a.b.c", "f.;", "a.b|.c"],
  ["|a.b.c", "2f.,", "a|.b.c"],
  ["|a.b.c", "t.", "|a.b.c"],
  ["|ab.b.c", "t.;", "ab.|b.c"],
  ["|ab.c", "df.", "|c"],
  ["|ab.c", "dt.", "|.c"],
  ["ab.|c", "dF.", "ab|c"],
  ["|abc", "fz", "|abc"],
  ["|👩‍👩‍👧x", "x", "|x"],
  ["|abc", "d\u001bx", "|bc"],
  ["|abc", "dqx", "|bc"],
])("in %j %j makes %j", ([marked, keys, result]) => {
  expect(after(marked, keys)).toBe(result);
});

test("the mode and what is typed of a command are seen, and Escape is passed on when there is nothing to end", () => {
  const field = new TextField();
  const vi = new ViKeys(field);
  expect(vi.mode).toBe("insert");
  expect(vi.press(characterKey("x"))).toBe(false);
  expect(vi.press(characterKey("\u001b"))).toBe(true);
  expect(vi.mode).toBe("normal");
  for (const key of "2d3f") vi.press(characterKey(key));
  expect(vi.pending).toBe("2d3f");
  expect(vi.press(characterKey("\u001b"))).toBe(true);
  expect(vi.press(characterKey("\u001b"))).toBe(false);
  expect(vi.press(characterKey("\r"))).toBe(false);
  expect(vi.press(characterKey("\u0003"))).toBe(false);
});

test("at the first and last row j and k are passed on, for the history", () => {
  const field = new TextField();
  const vi = new ViKeys(field);
  vi.press(characterKey("\u001b"));
  expect(vi.press(characterKey("k"))).toBe(false);
  expect(vi.press(characterKey("j"))).toBe(false);
});

test("whatever is typed, a large count ends soon and the cursor stands on a character", () => {
  const keys = fc.array(
    fc.constantFrom(..."hjklwbe0^$iaIAoOxXDCdcyppPu;,ftFTWBE123456789.ab \u001b".split("")),
    {
      maxLength: 40,
    },
  );
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), keys, (text, pressed) => {
      const field = new TextField();
      const vi = new ViKeys(field);
      field.type(text);
      for (const key of pressed) if (!vi.press(characterKey(key))) field.type(key);
      const { line, at } = field.cursor;
      const { length } = field.lines[line] ?? "";
      expect(at).toBeLessThanOrEqual(vi.mode === "normal" ? Math.max(0, length - 1) : length);
    }),
    { numRuns: 300 * scale },
  );
});
