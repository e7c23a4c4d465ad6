/** The lattice of verdicts: allow < ask < ask-always < deny. */

import type { Verdict } from "../protocol/facts.ts";

/** The verdict of one layer. */
export type LayerWord = { layer: string; verdict: Verdict; because: string };

/** The words on a call, by what may override them. */
export type LayerWords = {
  /** A denial here is the end: nothing overrides it. */
  final: LayerWord[];
  /** A person's own: an allowing one overrides the usual words, any other is firm. */
  rules: LayerWord[];
  /** Overridden by no mode and no earlier approval. */
  firm: LayerWord[];
  /** Overridden by an approval of the very file. */
  sensitive: LayerWord[];
  usual: LayerWord[];
};

const strictness: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, "ask-always": 2, deny: 3 };

export const present = (...words: (LayerWord | undefined)[]): LayerWord[] =>
  words.filter((word) => word !== undefined);

/** The strictest verdict, the first one on a tie. */
export function strictestOf(words: readonly (LayerWord | undefined)[]): LayerWord | undefined {
  return words.reduce(
    (best, word) => (best && (!word || isAsStrict(best.verdict, word.verdict)) ? best : word),
    undefined,
  );
}

const isAsStrict = (one: Verdict, other: Verdict): boolean => strictness[one] >= strictness[other];
