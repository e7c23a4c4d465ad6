/** A character of any script for random texts: every code point but halves of a pair. */

import fc from "fast-check";

const firstHalf = 0xd800;
const halves = 0x800;

/**
 * Gives what fast-check's own unit `binary` gives, of which a process would spend 0.7 s of processor time on a table of
 * all characters.
 */
export const anyCharacter = fc.nat({ max: 0x10ffff - halves }).map(
  (place) => String.fromCodePoint(place < firstHalf ? place : place + halves),
  (text) => {
    const code = typeof text === "string" ? text.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== text)
      throw new Error("This is not one character.");
    return code < firstHalf ? code : code - halves;
  },
);
