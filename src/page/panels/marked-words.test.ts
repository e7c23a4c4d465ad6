/** Marking the matches of a search. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../base/testing/any-character.ts";
import { markedPieces } from "./marked-words.ts";

test("words are found in any case and order", () => {
  expect(markedPieces("Fix the parser", "PARSER fix")).toEqual([
    { text: "Fix", isFound: true },
    { text: " the ", isFound: false },
    { text: "parser", isFound: true },
  ]);
  expect(markedPieces("a.b", ".")).toEqual([
    { text: "a", isFound: false },
    { text: ".", isFound: true },
    { text: "b", isFound: false },
  ]);
});

test("the pieces always add up to the text, and no search throws", () => {
  const odd = fc.oneof(
    fc.string(),
    fc.string({ unit: anyCharacter }),
    fc.constantFrom("(", "[a-", "\\", "-]", "{1,"),
  );
  fc.assert(
    fc.property(odd, odd, (text, words) => {
      expect(
        markedPieces(text, words)
          .map((piece) => piece.text)
          .join(""),
      ).toBe(text);
    }),
  );
});
