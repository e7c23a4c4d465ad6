import fc from "fast-check";
import { expect, test } from "vitest";
import { scale } from "../testing/scale.ts";
import { readLoose } from "./loose-json.ts";

test("an escaped quotation mark after a drive letter is JSON, not the end of a path", () => {
  const text = JSON.stringify({ 'A:"': 'C:" and more' });
  expect(readLoose(text, { closed: true })).toEqual({
    ok: true,
    value: JSON.parse(text),
    end: text.length,
    repairs: [],
  });
});

test("valid JSON is read as it is, without repairs", () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: "small" }), fc.boolean(), (value, pretty) => {
      // A bare number may continue beyond the end of the text; in a list it is complete.
      const text = JSON.stringify([value], null, pretty ? 2 : 0);
      const expected = { ok: true, value: JSON.parse(text), end: text.length + 1, repairs: [] };
      expect(readLoose(` ${text}`, { start: 1, closed: false })).toEqual(expected);
    }),
  );
});

test.each([
  ["[1, 2,]", [1, 2], ["comma"]],
  ["[1, // one\n 2 /* two */]", [1, 2], ["comment"]],
  ['{"a": 1, # one, "b": 3\n "b": "two" # the last\n}', { a: 1, b: "two" }, ["comment"]],
  ['{"a": "is "C", #1 of all"}', { a: 'is "C", #1 of all' }, ["inner-quote"]],
  ['{＂a＂: ＂it\'s "b"＂, ＇c＇: «d»}', { a: 'it\'s "b"', c: "d" }, ["quotes"]],
  ['{"a"："b"，"c"：[1，2]}', { a: "b", c: [1, 2] }, ["signs"]],
  ['{"a": """say "hi"\n\\t\\"""x""", "b": """"""}', { a: 'say "hi"\n\t"""x', b: "" }, ["quotes"]],
  ["{'a': 'don't'}", { a: "don't" }, ["quotes", "inner-quote"]],
  ["[True, None, +1, 05]", [true, null, 1, 5], ["literal", "number"]],
  ['{"a": "x\ny"}', { a: "x\ny" }, ["control"]],
  ['{"a": "\\d \\u12 \\u0041"}', { a: "\\d \\u12 A" }, ["backslash"]],
  ['{"p": "C:\\new\\"}', { p: "C:\\new\\" }, ["backslash"]],
  ['["say "hi", ok"]', ['say "hi", ok'], ["inner-quote"]],
  ['{{"a": {{"b": 1}}, "c": 2}}', { a: { b: 1 }, c: 2 }, ["brackets"]],
  ['{"a": {"b": [1, "x"', { a: { b: [1, "x"] } }, ["closers"]],
  ['{"a": {"b": ["x"]]}}', { a: { b: ["x"] } }, ["brackets"]],
  ['{"a": {"b": [1}}', { a: { b: [1] } }, ["brackets"]],
  ['[{"a": {"b": "x"}]', [{ a: { b: "x" } }], ["brackets"]],
  ['{"a": "x"]}', { a: "x" }, ["brackets"]],
  ['{"__proto__": {"x": 1}}', JSON.parse('{"__proto__": {"x": 1}}'), []],
])("%s is read as it was meant, and the repairs are reported", (text, value, codes) => {
  const read = readLoose(text, { closed: true });
  expect(read.ok && { value: read.value, codes: read.repairs.map(({ code }) => code) }).toEqual({
    value,
    codes,
  });
});

test.each(['{"a": "x', '{"a', '{"a": ', "[1,", "[12", "{", "[tru", ""])(
  "%j is rejected as cut off",
  (text) => {
    expect(readLoose(text, { closed: false })).toMatchObject({ ok: false, cut: true });
  },
);

test.each(['{"a" 1}', "{1: 2}", "[1 2]", "[a]", "[1}", "{,}", '{"a": 1 "b": 2}', "[".repeat(200)])(
  "%j cannot be repaired into JSON",
  (text) => {
    expect(readLoose(text, { closed: true })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^[^\n]+$/),
    });
  },
);

test.each(['{// the path "a": "x"}', '{"a": 1, # b "b": 2}', '{"a": 1 /* b */ /* }'])(
  "%j is not read without what stands behind the comment's mark",
  (text) => {
    expect(readLoose(text, { closed: true })).toMatchObject({ ok: false, cut: true });
  },
);

test("mismatched brackets are repaired only at the known end, and not behind an open quotation mark", () => {
  expect(readLoose('{"a": ["x"]], "b": 1}', { closed: true }).ok).toBe(false);
  expect(readLoose('{"a": ["x"]]}', { closed: false }).ok).toBe(false);
  expect(readLoose('{"a": "say "x]}', { closed: true }).ok).toBe(false);
  expect(readLoose('{"a": "p["x"] = 1"}', { closed: true })).toMatchObject({
    ok: true,
    value: { a: 'p["x"] = 1' },
  });
});

test("no input makes the reader throw", () => {
  const pieces = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    ",",
    ":",
    "\\",
    "\n",
    "a",
    "1",
    "//",
    "/*",
    "*/",
    "true",
    " ",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), fc.boolean(), (parts, closed) => {
      expect(typeof readLoose(parts.join(""), { closed }).ok).toBe("boolean");
    }),
    { numRuns: 500 * scale },
  );
});

test.each([
  ["unescaped quotation marks", (n: number) => `{"a": "${'" '.repeat(n)}"}`],
  ["quotation marks and commas", (n: number) => `["${'", '.repeat(n)}`],
  ["escapes", (n: number) => `["${"\\d".repeat(n)}"]`],
  ["comments", (n: number) => `[${"/**/".repeat(n)}1]`],
  ["an open comment", (n: number) => `[/*${"*".repeat(n)}`],
  ["white space", (n: number) => `[1${" ".repeat(n)}, 2]`],
  ["words", (n: number) => `[${"true,".repeat(n)}1]`],
])("a megabyte of %s is read in one pass", (_, make) => {
  expect(typeof readLoose(make(400_000), { closed: true }).ok).toBe("boolean");
});
