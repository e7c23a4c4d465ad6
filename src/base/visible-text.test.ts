/** No foreign text may move, hide or disguise anything on a terminal (SAFETY.md class 17). */

import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "./testing/any-character.ts";
import { showable, stripHidden, visibleLine, visiblePreview, visibleText } from "./visible-text.ts";

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      "\u001B",
      "[",
      "2",
      "J",
      "]",
      "0",
      ";",
      "\u0007",
      "\u009B",
      "\u202E",
      "\u2066",
      "\u200B",
      "\r",
      "\n",
      "\t",
      " ",
      "\u2028",
    ),
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
  ),
  maxLength: 60,
});

test("visible text contains no control, bidi or escape character", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const shown of [visibleText(text), visiblePreview(text)]) {
        expect(shown.replaceAll(/[\n\t]/gu, "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
      }
      expect(visibleLine(text)).not.toMatch(/\p{Cc}/u);
    }),
  );
});

test("a stream is shown the same however it is split", () => {
  fc.assert(
    fc.property(hostile, fc.array(fc.nat(60)), (text, places) => {
      let said = "";
      let shown = "";
      let out = 0;
      for (const piece of pieces(text, places)) {
        said += piece;
        const end = showable(said);
        if (end > out) shown += visibleText(said.slice(out, end));
        out = Math.max(out, end);
      }
      expect(shown + visibleText(said.slice(out))).toBe(visibleText(text));
    }),
  );
});

function pieces(text: string, places: readonly number[]): string[] {
  const edges = [0, ...places.filter((place) => place < text.length).toSorted((a, b) => a - b), text.length];
  return edges.slice(1).map((edge, at) => text.slice(edges[at], edge));
}

test("escape sequences and bidi overrides are made visible, neither obeyed nor hidden", () => {
  expect(visibleText("a\u001B[2Jb\u009Bc\u202Ed\u007F\u0000")).toBe("a␛[2Jb⟨U+009B⟩c⟨U+202E⟩d␡␀");
  expect(visibleText("one\r\ntwo\rthree\tfour")).toBe("one\ntwo␍three\tfour");
  expect(visibleLine("Read a\n● Run rm\tx")).toBe("Read a⏎● Run rm x");
});

test("emoji, accents and scripts with joiners are left unchanged in text", () => {
  const text = "é 👩‍👩‍👧 ❤️ می‌خواهم 日本語";
  expect(visibleText(text)).toBe(text);
});

test("a preview hides nothing: invisible characters are named, long gaps are counted", () => {
  expect(visiblePreview("ls\u200B \u3164\u{E0041}\u00AD x\uFE0F ❤️")).toBe(
    "ls⟨U+200B⟩ ⟨U+3164⟩⟨U+E0041⟩⟨U+00AD⟩ x⟨U+FE0F⟩ ❤️",
  );
  expect(visiblePreview(`ls${" ".repeat(4000)}; rm -rf ~`)).toBe("ls ⟨4000 spaces⟩ ; rm -rf ~");
  expect(visiblePreview(`ls\n${" \n".repeat(300)}rm -rf ~`)).toBe("ls\n⟨300 empty lines⟩\nrm -rf ~");
  expect(visiblePreview("indented\n        code\n\n\nmore")).toBe("indented\n        code\n\n\nmore");
});

test("invisible characters are removed: controls, direction marks, invisible letters", () => {
  const hidden = [
    "\0",
    "\u001b",
    "\u007f",
    "\u009b",
    "\u00ad",
    "\u034f",
    "\u061c",
    "\u115f",
    "\u200b",
    "\u200e",
    "\u202e",
    "\u2060",
    "\u2066",
    "\u3164",
    "\ufe00",
    "\ufeff",
    "\uffa0",
    "\u{e0041}",
    "\u{e01ef}",
  ];
  for (const one of hidden) expect(stripHidden(`a${one}b`), one.codePointAt(0)?.toString(16)).toBe("ab");
});

test("joiners and variation selectors in use stay, and line ends are normalised", () => {
  const joined = "\u0915\u094d\u200d\u0937 \u0645\u06cc\u200c\u062e \u2764\ufe0f 1\ufe0e";
  expect(stripHidden(joined)).toBe(joined);
  expect(stripHidden("a\r\nb\rc\n\td")).toBe("a\nb\nc\n\td");
});
