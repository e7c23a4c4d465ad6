/** Where a move leads in a text of several lines: a mark for a paste is passed like one character. Pure. */

import { graphemeAt, graphemeEnd, graphemeStart, hasWord, wordEnd, wordStart } from "./graphemes.ts";
import type { Position } from "./written-text.ts";

/** `marksIn`: the marks in a line, in order. */
export type MarkedText = {
  readonly lines: readonly string[];
  marksIn(line: string): { from: number; to: number }[];
};

const lineOf = ({ lines }: MarkedText, { line }: Position): string => lines[line] ?? "";

export const lineStart = ({ line }: Position): Position => ({ line, at: 0 });
export const lineEnd = (text: MarkedText, { line, at }: Position): Position => ({
  line,
  at: lineOf(text, { line, at }).length,
});

export const textStart: Position = { line: 0, at: 0 };
export const textEnd = (text: MarkedText): Position => lineEnd(text, { line: text.lines.length - 1, at: 0 });

/** The position before a character, or before a line end. */
export function before(text: MarkedText, { line, at }: Position): Position {
  if (at === 0) return line === 0 ? { line, at } : lineEnd(text, { line: line - 1, at: 0 });
  const own = lineOf(text, { line, at });
  const mark = text.marksIn(own).find(({ from, to }) => from < at && at <= to);
  return { line, at: mark?.from ?? graphemeStart(own, at) };
}

/** The position after a character, or after a line end. */
export function after(text: MarkedText, { line, at }: Position): Position {
  const own = lineOf(text, { line, at });
  if (at >= own.length) return line === text.lines.length - 1 ? { line, at } : { line: line + 1, at: 0 };
  const mark = text.marksIn(own).find(({ from, to }) => from <= at && at < to);
  return { line, at: mark?.to ?? graphemeEnd(own, at) };
}

/** The same position, or the end of the character or mark that it lies in. */
export function outside(text: MarkedText, { line, at }: Position): Position {
  const own = lineOf(text, { line, at });
  const whole = graphemeAt(own, at);
  const mark = text.marksIn(own).find(({ from, to }) => from < whole && whole < to);
  return { line, at: mark?.to ?? whole };
}

/** The start of the word before a position, in an earlier line if there is none in its own. */
export function wordBefore(text: MarkedText, position: Position): Position {
  let { line, at } = position;
  while (line > 0 && !hasWord(lineOf(text, { line, at }).slice(0, at)))
    ({ line, at } = lineEnd(text, { line: line - 1, at: 0 }));
  const own = lineOf(text, { line, at });
  const start = wordStart(own, at);
  const mark = text.marksIn(own).findLast(({ from, to }) => from < at && to > start);
  return { line, at: mark?.from ?? start };
}

/** The end of the word after a position, in a later line if there is none in its own. */
export function wordAfter(text: MarkedText, position: Position): Position {
  let { line, at } = position;
  const last = text.lines.length - 1;
  while (line < last && !hasWord(lineOf(text, { line, at }).slice(at))) [line, at] = [line + 1, 0];
  const own = lineOf(text, { line, at });
  const end = wordEnd(own, at);
  const mark = text.marksIn(own).find(({ from, to }) => from < end && to > at);
  return { line, at: mark?.to ?? end };
}

/** The start of what stands before a position without a space in it. */
export function spaceBefore(text: MarkedText, position: Position): Position {
  if (position.at === 0) return before(text, position);
  const own = lineOf(text, position);
  const head = own.slice(0, position.at);
  const start = head.length - (/\S*\s*$/u.exec(head.slice(-longestWord))?.[0].length ?? 0);
  const mark = text.marksIn(own).findLast(({ from, to }) => from < position.at && to > start);
  return outside(text, { line: position.line, at: mark?.from ?? start });
}

/** A longer word is taken apart. */
const longestWord = 4_000;
