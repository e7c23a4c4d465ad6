/** What a model can do, as its server reports it; never guessed from its name (A6). */

import type { Constraint } from "../protocol/messages.ts";

export const constraintKinds = [
  "grammar",
  "structural-tags",
  "schema",
  "strict",
] as const satisfies readonly Constraint["type"][];
/** What a server can hold a model to while it writes. */
export type ConstraintKind = (typeof constraintKinds)[number];

/** Whether it does: for models that are taught a dialect (`auto`), for native tools as well (`on`). */
export const constraintChoices = ["auto", "on", "off"] as const;
export type ConstraintChoice = (typeof constraintChoices)[number];

/** Whether a model is asked as small models are: `auto` if its server says that it has few weights. */
export const smallChoices = ["auto", "on", "off"] as const;
export type SmallChoice = (typeof smallChoices)[number];

export type ModelCapabilities = {
  /** Whether the model has native tool calls; if not, it is taught a dialect. */
  tools: boolean;
  images?: boolean | undefined;
  reasoning?: boolean | undefined;
  /** The whole context window in tokens, if known. */
  contextTokens?: number | undefined;
  /** How many weights it has. */
  weights?: number | undefined;
  /** The model's chat template, if the server reveals it. */
  template?: string | undefined;
};

/** A model as a server lists it. */
export type ListedModel = { id: string; contextTokens?: number | undefined; weights?: number | undefined };
