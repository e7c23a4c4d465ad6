/** The lattice of verdicts: allow < ask < ask-always < deny. */

import type { Verdict } from "../protocol/facts.ts";

/** The verdict of one layer. */
export type LayerWord = { layer: string; verdict: Verdict; because: string };

const strictness: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, "ask-always": 2, deny: 3 };

/** The strictest verdict, the first one on a tie. */
export function strictestOf(words: readonly (LayerWord | undefined)[]): LayerWord | undefined {
  return words.reduce(
    (best, word) => (best && (!word || isAsStrict(best.verdict, word.verdict)) ? best : word),
    undefined,
  );
}

const isAsStrict = (one: Verdict, other: Verdict): boolean => strictness[one] >= strictness[other];
