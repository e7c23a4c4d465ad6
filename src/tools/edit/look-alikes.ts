/** Normalises look-alike characters: those that keyboards, word processors and models substitute for each other. */

import { isAscii } from "./editable.ts";

/** Maps plain ASCII to everything written in its place. */
const families: Readonly<Record<string, string>> = {
  '"': "\u201C\u201D\u201E\u201F\u2033\u2036\u00AB\u00BB\u301D\u301E\u301F\uFF02",
  "'": "\u2018\u2019\u201A\u201B\u2032\u2035\u02BC\u02B9\u00B4\uFF07",
  "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uFE58\uFE63\uFF0D\u00AD",
  " ": "\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000",
  "...": "\u2026",
  "": "\u200B\u200C\u200D\u2060\uFEFF",
};

const plain = new Map(
  Object.entries(families).flatMap(([ascii, others]) =>
    Array.from(others, (other) => [other, ascii] as const),
  ),
);

/** Look-alikes, letters with combining marks, decomposed syllables and full-width characters. */
const unusual = new RegExp(
  `[${[...plain.keys()].join("")}]|\\P{M}?\\p{M}+|[\\u1100-\\u11FF]+|[\\u2126\\u212A\\u212B\\uFF01-\\uFF5E]`,
  "gu",
);

const plainer = (found: string): string =>
  plain.get(found) ?? found.normalize(/[\uFF01-\uFF5E]/.test(found) ? "NFKC" : "NFC");

/** The text with every look-alike in its plainest form: ASCII if possible, else composed (NFC). */
export function withoutLookAlikes(text: string): string {
  return isAscii(text) ? text : text.replace(unusual, plainer);
}

/** Maps a position in the plain form back to the text; undefined inside a normalised character. */
export function placeBefore(text: string, place: number): number | undefined {
  let ahead = 0;
  if (isAscii(text)) return place;
  for (const { 0: found, index } of text.matchAll(unusual)) {
    const start = index + ahead;
    if (place <= start) break;
    const other = plainer(found);
    if (place < start + other.length) return undefined;
    ahead += other.length - found.length;
  }
  return place - ahead;
}
