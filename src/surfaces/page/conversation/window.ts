/** How much of a long conversation is drawn: its end, and what was scrolled to before it. */

import { bounds } from "../../../base/bounds.ts";

const most = bounds.page.shownBlocks.most;

/** How many blocks are left out at the beginning. While the end is followed, what was drawn long ago is let go. */
export function hiddenNext(hidden: number, all: number, isAtEnd: boolean): number {
  const atLeast = Math.max(0, all - most);
  if (all < hidden) return atLeast;
  return isAtEnd && all - hidden > 2 * most ? atLeast : hidden;
}

/** The same after somebody has scrolled to the first one that is drawn. */
export const hiddenEarlier = (hidden: number): number => Math.max(0, hidden - most);

/** To begin with. */
export const hiddenAtFirst = (all: number): number => Math.max(0, all - most);
