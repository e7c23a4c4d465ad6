import { runInThisContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../src/base/testing/any-character.ts";
import { inAscii } from "./ascii-code.ts";

const valueOf = (code: string): unknown => runInThisContext(code);

test("escaping to ASCII preserves a string's value, whichever quotes it was written in", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const quoted = JSON.stringify(text);
      const inTemplate = text.replaceAll(/[\\`$]/g, "\\$&").replaceAll("\r", "\\r");
      for (const code of [
        quoted,
        `\`${inTemplate}\``,
        `"${quoted.slice(1, -1).replaceAll(/[^\0-\x7f]/g, "\\$&")}"`,
      ])
        if (!/\\[\u2028\u2029]/u.test(code)) expect(valueOf(inAscii(code))).toBe(valueOf(code));
      expect(inAscii(quoted)).toMatch(/^[\0-\x7f]*$/);
    }),
  );
});

test.each([
  ["/^[✿-❀😀]+$/u", "✿😀", true],
  ["/^[✿-❀]\\✿$/", "✿✿", true],
  ["/\\\\✿/", "\\✿", true],
  ["/^(?<größe>a)\\k<größe>$/u", "aa", true],
  ["/[^\\p{L}]/u", "é", false],
])("the expression %s gives the same result after escaping to ASCII", (expression, text, found) => {
  const code = `${expression}.test(${JSON.stringify(text)})`;
  expect([valueOf(code), valueOf(inAscii(code))]).toEqual([found, found]);
});

test("identifiers and comments may be in any script", () => {
  expect(valueOf(inAscii("/* ✿ */ const größe = 3; größe // – ende"))).toBe(3);
});

test("raw templates with non-ASCII characters are rejected, since escapes do not work in them", () => {
  expect(() => inAscii("String.raw`✿`")).toThrow("What is raw cannot be written in ASCII");
});
