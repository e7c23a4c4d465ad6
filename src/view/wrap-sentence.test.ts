import fc from "fast-check";
import { expect, test } from "vitest";
import { wrapSentence } from "./wrap-sentence.ts";

test("lines break between words, and continuation lines are indented", () => {
  expect(wrapSentence("Why it asks: it publishes commits", { columns: 20, indent: 2 })).toEqual([
    "  Why it asks: it",
    "    publishes",
    "    commits",
  ]);
  expect(wrapSentence("short", { columns: Infinity, indent: 0 })).toEqual(["short"]);
});

test("no word is broken or lost, and no line with several words exceeds the width", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "`", "界"), minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 1, max: 60 }), (words, columns) => {
      const lines = wrapSentence(words.join(" "), { columns, indent: 2 });
      expect(lines.flatMap((line) => line.trim().split(" "))).toEqual(words);
      for (const line of lines)
        if (line.trim().includes(" ")) expect(line.length).toBeLessThanOrEqual(columns);
    }),
  );
});
