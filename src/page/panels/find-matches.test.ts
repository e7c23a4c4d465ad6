/** Finding words in the pieces of a page. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { matchesIn } from "./find-matches.ts";

test("matches ignore case and may span pieces of one line, but not lines", () => {
  const pieces = [
    { text: "All o", line: 1 },
    { text: "f it", line: 1 },
    { text: "of", line: 2 },
    { text: " it", line: 3 },
  ];
  expect(matchesIn(pieces, "OF IT")).toEqual([{ from: { piece: 0, at: 4 }, to: { piece: 1, at: 4 } }]);
  expect(matchesIn(pieces, "it")).toHaveLength(2);
  expect(matchesIn(pieces, "  ")).toEqual([]);
});

test("the same matches are found however a line is split into pieces", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "İ", "😀", "B"), maxLength: 30 });
  fc.assert(
    fc.property(
      letters,
      letters.filter((words) => words !== ""),
      fc.array(fc.nat(30)),
      (text, words, cuts) => {
        const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].sort(
          (one, other) => one - other,
        );
        const pieces = places.slice(1).map((end, at) => ({ text: text.slice(places[at], end), line: 1 }));
        const whole = matchesIn([{ text, line: 1 }], words);
        const far = ({ piece, at }: { piece: number; at: number }): number => (places[piece] ?? 0) + at;
        expect(matchesIn(pieces, words).map(({ from, to }) => [far(from), far(to)])).toEqual(
          whole.map(({ from, to }) => [from.at, to.at]),
        );
        for (const { from, to } of whole) expect(to.at - from.at).toBe(words.length);
      },
    ),
  );
});
