import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bytesOfLines,
  countLines,
  hunksOf,
  type Lines,
  linesOf,
  mergeLines,
  regionsOf,
  withoutHunks,
} from "./lines.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");
const lines = (text: string): Lines => linesOf(bytes(text)) ?? [];
const line = fc.constantFrom("a\n", "b\n", "c\r\n", "\xe9\n", "\n");
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom("", "last", "a"))
  .map(([all, last]) => all.join("") + last);

test("the lines of a file joined are its bytes, whatever its encoding and line endings", () => {
  fc.assert(
    fc.property(fc.uint8Array({ min: 1, maxLength: 200 }), (content) => {
      expect(Buffer.from(bytesOfLines(linesOf(content) ?? []))).toEqual(Buffer.from(content));
    }),
  );
  expect(linesOf(new Uint8Array([97, 0, 98]))).toBeUndefined();
  expect(linesOf(new Uint8Array(9 * 1024 * 1024).fill(97))).toBeUndefined();
});

test("regions transform the old text into the new one, and no two of them touch", () => {
  fc.assert(
    fc.property(text, text, (old, now) => {
      const regions = regionsOf(lines(old), lines(now));
      let made: string[] = [];
      let at = 0;
      for (const region of regions) {
        expect(region.oldAt).toBeGreaterThanOrEqual(at === 0 ? 0 : at + 1);
        made = [...made, ...lines(old).slice(at, region.oldAt)];
        expect(made.length).toBe(region.nowAt);
        expect(lines(old).slice(region.oldAt, region.oldAt + region.old.length)).toEqual(region.old);
        made = [...made, ...region.now];
        at = region.oldAt + region.old.length;
      }
      expect([...made, ...lines(old).slice(at)].join("")).toBe(now);
    }),
  );
});

test("undoing all hunks gives the old text, undoing none gives the new one, and undoing one leaves fewer", () => {
  fc.assert(
    fc.property(text, text, (old, now) => {
      const hunks = hunksOf(lines(old), lines(now));
      const all = new Set(hunks.map(({ number }) => number));
      expect(withoutHunks(lines(old), hunks, all).join("")).toBe(old);
      expect(withoutHunks(lines(old), hunks, new Set()).join("")).toBe(now);
      const [first] = hunks;
      if (!first) return;
      const rest = withoutHunks(lines(old), hunks, new Set([first.number]));
      expect(hunksOf(lines(old), rest).length).toBeLessThanOrEqual(hunks.length - 1);
    }),
  );
});

test("A40: a hunk has three lines of context and marks a missing line end at the end of the file", () => {
  const old = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`).join("");
  const now = old.replace("\n3\n", "\nthree\n").replace("20\n", "20");
  expect(hunksOf(lines(old), lines(now)).map((hunk) => hunk.text)).toEqual([
    "@@ -1,6 +1,6 @@\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n",
    "@@ -17,4 +17,4 @@\n 17\n 18\n 19\n-20\n+20\n\\ No newline at end of file\n",
  ]);
  expect(hunksOf([], lines("a\n")).map((hunk) => hunk.text)).toEqual(["@@ -0,0 +1 @@\n+a\n"]);
  expect(hunksOf(lines("a\n"), []).map((hunk) => hunk.text)).toEqual(["@@ -1 +0,0 @@\n-a\n"]);
});

test("a merge combines both sides in either order, and fails where they conflict", () => {
  const merge = (base: string, one: string, other: string): string | undefined =>
    mergeLines(lines(base), lines(one), lines(other))?.join("");
  expect(merge("1\n2\n3\n", "one\n2\n3\n", "1\n2\nthree\n")).toBe("one\n2\nthree\n");
  expect(merge("1\n2\n3\n", "1\n3\n", "1\n3\n")).toBe("1\n3\n");
  expect(merge("1\n2\n3\n", "1\nx\n3\n", "1\ny\n3\n")).toBeUndefined();
  expect(merge("1\n2\n", "1\nx\n2\n", "1\ny\n2\n")).toBeUndefined();
  expect(merge("1\n2\n", "one\n2\n", "1\ntwo\n")).toBeUndefined();
  fc.assert(
    fc.property(text, text, text, (base, one, other) => {
      expect(merge(base, one, base)).toBe(one);
      expect(merge(base, base, other)).toBe(other);
      expect(merge(base, one, one)).toBe(one);
      expect(merge(base, one, other)).toBe(merge(base, other, one));
    }),
  );
});

test("texts that differ too much are compared as one region", () => {
  const many = (word: string): string =>
    Array.from({ length: 1_000 }, (_, index) => `${word}${index}\n`).join("");
  const differing = (word: string): string => `same\n${many(word)}shared\n${many(word)}end\n`;
  const [old, now] = [lines(differing("a")), lines(differing("b"))];
  expect(regionsOf(old, now).map(({ oldAt, nowAt }) => [oldAt, nowAt])).toEqual([[1, 1]]);
});

test("lines are counted as added and removed; a binary file counts as none", () => {
  expect(countLines(bytes("a\nb\n"), bytes("a\nc\nd"))).toEqual({ added: 2, removed: 1 });
  expect(countLines(null, bytes("a\nb"))).toEqual({ added: 2, removed: 0 });
  expect(countLines(bytes("a"), null)).toEqual({ added: 0, removed: 1 });
  expect(countLines(bytes("\0"), bytes("a"))).toEqual({ added: 0, removed: 0 });
});
