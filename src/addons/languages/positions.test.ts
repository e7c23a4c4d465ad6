import fc from "fast-check";
import { expect, test } from "vitest";
import { indexIn, offsetIn, type Unit, unitsBefore } from "./positions.ts";

const units: readonly Unit[] = ["utf-8", "utf-16", "utf-32"];
const lines = fc.array(
  fc.string({ unit: "grapheme" }).map((line) => line.replaceAll(/[\r\n]/g, "")),
  { minLength: 1 },
);

test("positions round-trip in each unit that servers use, with any line endings", () => {
  fc.assert(
    fc.property(lines, fc.constantFrom("\n", "\r\n", "\r"), fc.nat(), fc.nat(), (all, ending, pick, at) => {
      const line = pick % all.length;
      const words = Array.from(all[line] ?? "");
      const index = words.slice(0, at % (words.length + 1)).join("").length;
      const before = all
        .slice(0, line)
        .map((one) => one + ending)
        .join("").length;
      for (const unit of units) {
        const character = unitsBefore(all[line] ?? "", index, unit);
        expect(indexIn(all[line] ?? "", character, unit)).toBe(index);
        expect(offsetIn(all.join(ending), { line, character }, unit)).toBe(before + index);
      }
    }),
  );
});

test("a character beyond a line's end is clamped; a line beyond the last one is not found", () => {
  for (const unit of units) {
    expect(offsetIn("ab\ncd", { line: 0, character: 99 }, unit)).toBe(2);
    expect(offsetIn("ab\ncd", { line: 1, character: 99 }, unit)).toBe(5);
    expect(offsetIn("ab\n", { line: 1, character: 0 }, unit)).toBe(3);
    expect(offsetIn("ab\ncd", { line: 2, character: 0 }, unit)).toBeUndefined();
  }
});

test("an offset within a character resolves to the character's start", () => {
  expect(indexIn("é€😀x", 1, "utf-8")).toBe(0);
  expect(indexIn("é€😀x", 5, "utf-8")).toBe(2);
  expect(indexIn("é€😀x", 8, "utf-8")).toBe(2);
  expect(indexIn("é€😀x", 9, "utf-8")).toBe(4);
  expect(indexIn("é€😀x", 3, "utf-32")).toBe(4);
});
