import { expect, test } from "vitest";
import { visible } from "./visible-text.ts";

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
  for (const one of hidden) expect(visible(`a${one}b`), one.codePointAt(0)?.toString(16)).toBe("ab");
});

test("joiners and variation selectors in use stay, and line ends are normalised", () => {
  const joined = "\u0915\u094d\u200d\u0937 \u0645\u06cc\u200c\u062e \u2764\ufe0f 1\ufe0e";
  expect(visible(joined)).toBe(joined);
  expect(visible("a\r\nb\rc\n\td")).toBe("a\nb\nc\n\td");
});
