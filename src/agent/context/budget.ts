/** The longest allowed prompt, and the lengths at which it is shortened. */

import type { ContextState } from "../../protocol/fold-context.ts";
import type { Model } from "../../providers/provider.ts";

export type ContextBudget = {
  /** The model's context window. */
  window: number;
  /** The window's real size is unknown, so a typical one is assumed; only a provider's refusal can correct it. */
  isAssumed: boolean;
  /** Most tokens of a prompt; the rest of the window is for the answer. */
  limit: number;
  /** The conversation's share of the limit; the rest is the system prompt and the tools. */
  space: number;
  /** The length from which room is made. */
  soft: number;
  /**
   * The target when making room: low, so that it happens seldom and providers' caches of the prompt's beginning stay
   * valid.
   */
  low: number;
  /** Leaving out results is enough if it gets down to this length; otherwise the conversation is summarised. */
  enough: number;
  /** Most tokens of the last messages, which stay unchanged. */
  kept: number;
};

const assumedWindow = 128_000;
const mostForAnswer = 16_384;
/** A refused prompt was too long, whatever its count: the next limit is this share of it. */
const belowRefused = 0.9;
/** No smaller window is usable: a refusal below this size means the count was wrong. */
const leastWindow = 2_048;

/** `frame`: tokens of the system prompt and the tools. */
export function budgetFor(
  model: Pick<Model, "name" | "contextTokens">,
  { tooLong }: Pick<ContextState, "tooLong">,
  frame: number,
): ContextBudget {
  const known = model.contextTokens;
  const isAssumed = known === undefined || !(known > 0);
  const window = isAssumed ? assumedWindow : known;
  const forPrompt = window - Math.min(mostForAnswer, Math.ceil(window / 4));
  const refused =
    tooLong?.model === model.name ? Math.max(leastWindow, tooLong.tokens * belowRefused) : Infinity;
  const limit = Math.floor(Math.min(forPrompt, refused));
  const space = Math.max(Math.floor(limit / 10), limit - frame);
  const at = (share: number): number => limit - Math.floor(space * (1 - share));
  return {
    window,
    isAssumed,
    limit,
    space,
    soft: at(0.8),
    low: at(0.5),
    enough: at(0.65),
    kept: Math.floor(space * 0.2),
  };
}
