/** What a person sees as one character, and as one word, in a line; each look costs the same in a long line. Pure. */

import { isPlain } from "../../base/terminal/row.ts";

/** Loaded with the first text that needs it: it takes some milliseconds. */
let segmenter: Intl.Segmenter | undefined;

export function graphemesOf(text: string): string[] {
  if (isPlain(text)) return text.split("");
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** The end of the grapheme that begins at `at`. */
export function graphemeEnd(line: string, at: number): number {
  return boundariesAround(line, at).find((boundary) => boundary > at) ?? line.length;
}

/** The start of the grapheme that ends at `at`. */
export function graphemeStart(line: string, at: number): number {
  return boundariesAround(line, at).findLast((boundary) => boundary < at) ?? 0;
}

/** `at`, or the end of the grapheme that it lies in. */
export const graphemeAt = (line: string, at: number): number =>
  at >= line.length ? line.length : graphemeEnd(line, at - 1);

/** The end of the word at or after `at`. */
export function wordEnd(line: string, at: number): number {
  word.lastIndex = at;
  return graphemeAt(line, word.test(line) ? word.lastIndex : line.length);
}

/** The start of the word at or before `at`. */
export function wordStart(line: string, at: number): number {
  let start = at;
  let isWithin = false;
  while (start > 0) {
    const before = graphemeStart(line, start);
    const isWord = wordCharacter.test(line.slice(before, start));
    if (isWithin && !isWord) break;
    isWithin = isWord;
    start = before;
  }
  return start;
}

export const hasWord = (text: string): boolean => wordCharacter.test(text);

const word = /[\p{L}\p{N}\p{M}_]+/gu;
const wordCharacter = /[\p{L}\p{N}\p{M}_]/u;

/** The boundaries near `at`: from one before it to one after it at least, where there are such. */
function boundariesAround(line: string, at: number): number[] {
  const from = sureBoundary(line, Math.max(0, at - 1), -1);
  const to = sureBoundary(line, Math.min(line.length, at + 1), 1);
  const boundaries = [from];
  let boundary = from;
  for (const grapheme of graphemesOf(line.slice(from, to))) boundaries.push((boundary += grapheme.length));
  return boundaries;
}

/**
 * A boundary that shows by the two characters beside it: by the rules of Unicode's UAX #29 nothing joins a letter, an
 * ideograph or a picture to what stands before it, except a joiner and the marks that belong to what follows.
 */
function sureBoundary(line: string, start: number, step: 1 | -1): number {
  let at = start;
  while (at > 0 && at < line.length && !isSureBoundary(line, at)) at += step;
  return at;
}

const isSureBoundary = (line: string, at: number): boolean =>
  beginning.test(line.slice(at, at + 2)) && !joinsNext.test(line.slice(at - 1, at));

const beginning =
  /^[ -~\u00c0-\u02ff\u0391-\u03ff\u0410-\u044f\u0620-\u064a\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\p{Extended_Pictographic}]/u;
/** A joiner, marks before numbers, Hangul letters, and half of a character that may be such a mark. */
const joinsNext =
  /[\u200d\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\u1100-\u115f\ua960-\ua97c\p{Cs}]/u;
