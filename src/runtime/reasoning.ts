/** Whether a model can follow how much it is to think. */

import type { Fact } from "../protocol/facts.ts";
import type { Reasoning } from "../protocol/messages.ts";
import type { Model } from "../providers/provider.ts";

type ThinkingModel = Pick<Model, "name" | "thinks">;

/** Why this cannot be chosen with this model; undefined if it can, or if nobody knows. */
export const reasoningProblem = (reasoning: Reasoning, model: ThinkingModel): string | undefined =>
  isLost(reasoning, model)
    ? `${model.name} does not think before it answers, so there is no reasoning to set. Choose a model that does.`
    : undefined;

/** Warns of a setting that a model which was chosen otherwise cannot follow; it is kept for other models. */
export const unthinking = (reasoning: Reasoning, model: ThinkingModel): Fact[] =>
  isLost(reasoning, model)
    ? [
        {
          type: "warning",
          code: unthinkingCode,
          text: `${model.name} does not think before it answers: the reasoning set here (${reasoning}) counts again with a model that does.`,
        },
      ]
    : [];

export const unthinkingCode = "no-reasoning";

const isLost = (reasoning: Reasoning, { thinks }: ThinkingModel): boolean =>
  thinks === false && reasoning !== "default" && reasoning !== "off";
