/** Arrays as lists of words: elements, slices and assignments. If the positions are unknown, so is the result. */

import { flowsOf, isLiteral, literal, unknownWord, type Word } from "./word.ts";

/** `${a[2]}` */
export function elementAt(values: readonly Word[], index: string): Word {
  const at = positionOf(literal(index));
  return at === undefined || !isSure(values, at) ? either(values) : (values[at] ?? literal(""));
}

/** `a[2]=x` */
export function withElement(values: readonly Word[], index: Word, value: Word): readonly Word[] {
  const at = positionOf(index);
  if (at === undefined || at > values.length || !isSure(values, at)) return [either([...values, value])];
  return at === values.length ? [...values, value] : values.with(at, value);
}

/** `${a[@]:1:2}`; a negative offset counts from the end. */
export function slicedList(values: readonly Word[], offset: Word, length: Word | undefined): readonly Word[] {
  const start = numberIn(offset);
  const count = length === undefined ? values.length : numberIn(length);
  const isKnown = start !== undefined && count !== undefined && count >= 0 && isSure(values, values.length);
  if (!isKnown) return [either(values)];
  const from = start < 0 ? values.length + start : start;
  return from < 0 ? [] : values.slice(from, from + count);
}

/** One of these words; which one is only known at run time. */
export const either = (words: readonly Word[]): Word => unknownWord(flowsOf(words));

/** No word up to the position may become several words, or none. */
const isSure = (values: readonly Word[], at: number): boolean =>
  !values.slice(0, at + 1).some(({ mayBeSeveral }) => mayBeSeveral);

const positionOf = (index: Word): number | undefined =>
  isLiteral(index) && /^\d+$/u.test(index.text) ? Number(index.text) : undefined;

const numberIn = (word: Word): number | undefined =>
  isLiteral(word) && /^\s*-?\d+\s*$/u.test(word.text) ? Number(word.text) : undefined;
