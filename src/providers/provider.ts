/** The interface of a model, as the agent and the language-model server use it. */

import type { Prompt } from "../protocol/messages.ts";
import type { ModelEvent } from "../protocol/model-events.ts";

export type { Prompt };

/** Defaults for models of this kind, unless the user chooses otherwise. */
type Suits = {
  /** Maximum number of answers in a turn (B10). */
  readonly maxRounds?: number;
  /** For models that tend to stop early: the end of a turn without the requested changes is refused (A12). */
  readonly completion?: "writes";
  /** It is asked as small models are: briefly, for one call at a time. */
  readonly small?: true;
};

/** Anything that answers a prompt with a stream of events. @public */
export interface Model {
  /** The name as people write it: "provider/model". */
  readonly name: string;
  /** The context window in tokens, if known. */
  readonly contextTokens?: number | undefined;
  /** A message to show before the first answer ("this model has no native tools…"). */
  readonly notice?: string | undefined;
  /** Why this model answers in place of the one that was named, in a sentence. */
  readonly instead?: string | undefined;
  readonly suits?: Suits | undefined;
  /** False if the model is known not to see pictures: it then gets a note in place of each picture. */
  readonly sees?: boolean | undefined;
  /** True if the model is known to think before it answers. */
  readonly thinks?: boolean | undefined;
  /** Of a model that is still to be found: looks for it, and says why there is none. */
  lack?(): Promise<string | undefined>;
  /**
   * One answer, streamed. Throws one ModelError; aborting closes the connection at once. `sent` is called when a server
   * has the request to think about, perhaps more than once.
   */
  ask(prompt: Prompt, signal: AbortSignal, sent?: () => void): AsyncIterable<ModelEvent>;
}
