import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cutLine, headAndTail, shellLimits } from "./cut-text.ts";
import { byteLength } from "./text.ts";

const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

test("A33: a hundred lines are kept whole; of more, the first 15 and the last 85 are kept", () => {
  expect(headAndTail(lines(100))).toEqual({ text: lines(100), cut: false, left: 0 });
  const { text, cut, left } = headAndTail(lines(250));
  expect(left).toBe(150);
  const shown = text.split("\n");
  expect({
    cut,
    first: shown[14],
    note: shown[15],
    next: shown[16],
    last: shown.at(-2),
    end: shown.at(-1),
  }).toEqual({
    cut: true,
    first: "line 15",
    note: "[150 lines truncated]",
    next: "line 166",
    last: "line 250",
    end: "",
  });
});

test("any output is kept within the limits, without splitting a character", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9000)), fc.constantFrom("x", "é", "😀"), (lengths, character) => {
      const { text, cut } = headAndTail(lengths.map((length) => character.repeat(length)).join("\n"));
      expect(byteLength(text)).toBeLessThanOrEqual(shellLimits.bytes + 100);
      expect(text.split("\n").length).toBeLessThanOrEqual(101);
      expect(text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
      if (!cut) expect(text).toBe(lengths.map((length) => character.repeat(length)).join("\n"));
    }),
  );
});

test("a line over the limit keeps its start and its end and says how much was cut", () => {
  expect(cutLine("a".repeat(5000) + "END", 4000)).toBe(
    "a".repeat(3000) + "[1003 characters cut]" + "a".repeat(997) + "END",
  );
});
