/** Patterns as grammars: what is written matches, and what matches may be written. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { scale } from "../../testing/scale.ts";
import { readGbnf } from "../testing/gbnf.ts";
import { newGrammar } from "./grammar.ts";
import { jsonRule } from "./json-grammar.ts";
import { patternText } from "./pattern-grammar.ts";
import { plainSchema } from "./plain-schema.ts";

function gbnfOf(pattern: string) {
  const grammar = newGrammar();
  return readGbnf(grammar.text(jsonRule(plainSchema({ type: "string", pattern }), grammar)));
}

test.each<[string, string[], string[]]>([
  ["^[a-z0-9-]{1,63}$", ["a", "a-b-9"], ["", "A", "a_b", "a".repeat(64)]],
  ["^#(?:[0-9a-fA-F]{3}){1,2}$", ["#abc", "#ABCDEF"], ["abc", "#abcd", "#"]],
  ["^(GET|POST)$|^PUT ", ["GET", "PUT x"], ["GETS", "xPUT "]],
  ["^v\\d+\\.\\d+(\\.\\d+)?(-[\\w.]+)?$", ["v1.2", "v10.20.30-rc.1"], ["1.2", "v1", "v1.2-"]],
  ["\\.tsx?$", ["a.ts", ".tsx"], ["a.tsxx", "ats"]],
  ['^[^\\s"]+$', ["a\\b", "ä東🚀"], ["a b", 'a"b', ""]],
  ["^\\S+@\\S+$", ["a@b"], ["a b@c", "@"]],
  ["^\\/[\\]\\-\\\\]*?\\u{1F680}?$", ["/", "/]-\\🚀"], ["]"]],
  ["^(?<year>\\d{4})-(?<month>0[1-9]|1[0-2])$", ["2026-11"], ["2026-13"]],
  ["a", ["a", "bab", '\n"a"'], ["", "b"]],
  ["", ["", "anything\n"], []],
  ["^.{2,250}$", ["ab", "x".repeat(250)], ["a", "a\n", "x".repeat(251)]],
])("%s", (pattern, matching, others) => {
  const gbnf = gbnfOf(pattern);
  const accepted = [...matching, ...others].filter((text) => gbnf.accepts(JSON.stringify(text)));
  expect(accepted).toEqual(matching);
  const numbers = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }));
  fc.assert(
    fc.property(numbers, (stream) => {
      const text: unknown = JSON.parse(gbnf.derive(() => stream.next().value ?? 0));
      expect(text).toMatch(new RegExp(pattern, "u"));
    }),
    { numRuns: 50 * scale },
  );
});

test.each([
  "^(?=a)b$",
  "(a)\\1",
  "\\bword\\b",
  "^\\p{L}+$",
  "^(a*)*$",
  "a^b",
  "a$b",
  "(",
  "[b-a]",
  "[]",
  "^(?i:a)$",
  "x{2",
])("what cannot be said is left to the check of the call: %s", (pattern) => {
  expect(patternText({ pattern }, newGrammar())).toBeUndefined();
  expect(gbnfOf(pattern).accepts('"anything"')).toBe(true);
});

test("a pattern of a hundred thousand characters costs a bounded time", () => {
  for (const pattern of ["(".repeat(100_000), "a?".repeat(50_000), "(a|".repeat(30_000), "[a".repeat(50_000)])
    patternText({ pattern }, newGrammar());
});
