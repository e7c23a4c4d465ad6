/** Who answers: the one shape every model has for the agent and for the language-model server. */

import type { Ask } from "../protocol/messages.ts";
import type { ModelEvent } from "../protocol/model-events.ts";

/** A request without the model's name: the model knows its own. */
export type Prompt = Omit<Ask, "model">;

/** What suits models of this kind, unless the user wants something else. */
type Suits = {
  /** How many answers a turn may take (B10). */
  readonly maxRounds?: number;
  /** They tend to stop before anything is done: an end without changes that were asked for is refused (A12). */
  readonly completion?: "writes";
};

/** Anything that answers a prompt with events. */
export interface Model {
  /** As a person writes it: "provider/model". */
  readonly name: string;
  /** The context window in tokens, where it is known. */
  readonly contextTokens?: number | undefined;
  /** What a person should know before the first answer ("this model has no native tools…"). */
  readonly notice?: string | undefined;
  readonly suits?: Suits | undefined;
  /** False where it is known that it cannot see pictures: it is told then that there is one. */
  readonly sees?: boolean | undefined;
  /** One answer, streamed. Throws one ModelError; aborting closes the connection at once. */
  ask(prompt: Prompt, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
