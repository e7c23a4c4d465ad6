import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { withLatePatterns } from "./late-patterns.ts";

test("a Unicode pattern is prepared when it is first used, once, and keeps its place", () => {
  const code = String.raw`
    const word$1 = /\p{L}+/gu, plain = /x/u;
    const find = (text) => { word$1.lastIndex = 1; return word$1.exec(text)?.[0]; };
    const held = { word$1, other: word$1, take: { word$1: 1 }.word$1 };
    [find("abc"), held.word$1 === word$1, held.other === word$1, held.take, word$1.lastIndex, plain.test("x")]`;
  const late = withLatePatterns(code);
  expect(late).toContain(String.raw`word$1 = ()=>word$1.made??=/\p{L}+/gu`);
  expect(late).toContain("plain = /x/u");
  expect(runInNewContext(late)).toEqual(runInNewContext(code));
  expect(runInNewContext(late)).toEqual(["bc", true, true, 1, 3, true]);
});

test.each([
  String.raw`const word = /\p{L}/u; const named = ((word) => word)(1); [named, word.source]`,
  String.raw`const word = /\p{L}/u; [(({ a: [word] = [1], ...rest }) => word)({}), word.source]`,
  String.raw`const word = /\p{L}/u; [(() => { try { throw 1 } catch (word) { return word } })(), word.source]`,
  String.raw`const word = /\p{L}/u; [(function word() { return typeof word })(), word.source]`,
  String.raw`const word = /\p{L}/u; [(() => { { const word = 1; if (word > 1) return 2 } return word.source })()]`,
  String.raw`const word = /\p{L}/u; [(() => { if (true) { var word = 1 } return word })(), word.source]`,
  String.raw`const word = /\p{L}/u; [(() => { for (const word of [1]) return word })(), word.source]`,
  String.raw`const word = /\p{L}/u; let seen; switch (1) { case 1: let word = 1; seen = word } [seen, word.source]`,
  String.raw`const word = /\p{L}/u; [((given = word.source) => given)(), class word {}.name]`,
])("a name that means another thing somewhere keeps its meaning there: %s", (code) => {
  const late = withLatePatterns(code);
  expect(late).not.toBe(code);
  expect(runInNewContext(late)).toEqual(runInNewContext(code));
});

test("what holds no such constant is not changed", () => {
  for (const code of [
    String.raw`let word = /\p{L}/u; word = 1`,
    String.raw`f(/\p{L}/u)`,
    "const a = /b/u; a.test('b')",
  ])
    expect(withLatePatterns(code)).toBe(code);
});
