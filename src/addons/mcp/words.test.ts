/** Text from a server hides nothing. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../base/testing/any-character.ts";
import { plainLine, plainWords } from "./words.ts";

test("escapes and control characters are removed, and invisible characters are shown by code point", () => {
  expect(plainWords("\u001b[31mred\u001b[0m\r\nb\u0007\u202eevil\u{e0041}", 100)).toBe(
    "red\nb<U+202E>evil<U+E0041>",
  );
  expect(plainLine(" a\n\tb ", 100)).toBe("a b");
});

test("letters of other scripts and emoji are kept", () => {
  const words = "日本語 العربية 👩‍💻 ❤️ नमस्ते";
  expect(plainWords(words, 100)).toBe(words);
});

test("no text hides characters, and its length exceeds the limit by at most the ellipsis", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.integer({ min: 1, max: 100 }),
      (words, most) => {
        const plain = plainWords(words, most);
        expect(plain).not.toMatch(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u200b]/u);
        expect(plain.isWellFormed()).toBe(true);
        expect(plain.length).toBeLessThanOrEqual(most + 2);
      },
    ),
  );
});
