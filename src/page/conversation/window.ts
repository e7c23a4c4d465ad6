/** Limits how much of a long conversation is rendered: its end, and earlier parts once scrolled to. */

import { mostShownBlocks } from "../bounds.ts";

const most = mostShownBlocks;

/** The number of blocks hidden at the beginning. While the reader follows the end, old blocks are hidden again. */
export function hiddenNext(hidden: number, all: number, isAtEnd: boolean): number {
  const atLeast = Math.max(0, all - most);
  if (all < hidden) return atLeast;
  return isAtEnd && all - hidden > 2 * most ? atLeast : hidden;
}

/** The new number once the reader has scrolled to the first rendered block. */
export const hiddenEarlier = (hidden: number): number => Math.max(0, hidden - most);

/** The initial number. */
export const hiddenAtFirst = (all: number): number => Math.max(0, all - most);
