/** How long a prompt may be, and at which lengths something is done about it. */

import type { ContextState } from "../../protocol/fold-context.ts";
import type { Model } from "../../providers/provider.ts";

export type Budget = {
  /** The model's context window. */
  window: number;
  /** Nobody said how large it is: a usual one is assumed, and only the provider's refusal tells better. */
  isAssumed: boolean;
  /** What a prompt may come to: the rest is for the answer. */
  limit: number;
  /** What of that the conversation may come to: the rest is the system prompt and the tools. */
  room: number;
  /** Where room is made, */
  soft: number;
  /** and how far down, so that it is done seldom and the start of the prompt stays what providers have cached. */
  low: number;
  /** Leaving out results is enough when it gets so far; else the conversation is summarised. */
  enough: number;
  /** What the last messages may come to that are kept as they are. */
  kept: number;
};

const assumedWindow = 128_000;
const mostForAnswer = 16_384;
/** A prompt that was refused was too long, however it was counted. */
const belowRefused = 0.9;
/** A window below this holds no work at all: what was refused there was counted wrongly. */
const leastWindow = 2_048;

/** `frame`: what the system prompt and the tools come to. */
export function budgetFor(
  model: Pick<Model, "name" | "contextTokens">,
  { tooLong }: Pick<ContextState, "tooLong">,
  frame: number,
): Budget {
  const known = model.contextTokens;
  const isAssumed = known === undefined || !(known > 0);
  const window = isAssumed ? assumedWindow : known;
  const forPrompt = window - Math.min(mostForAnswer, Math.ceil(window / 4));
  const refused =
    tooLong?.model === model.name ? Math.max(leastWindow, tooLong.tokens * belowRefused) : Infinity;
  const limit = Math.floor(Math.min(forPrompt, refused));
  const room = Math.max(Math.floor(limit / 10), limit - frame);
  const at = (share: number): number => limit - Math.floor(room * (1 - share));
  return {
    window,
    isAssumed,
    limit,
    room,
    soft: at(0.8),
    low: at(0.5),
    enough: at(0.65),
    kept: Math.floor(room * 0.2),
  };
}
