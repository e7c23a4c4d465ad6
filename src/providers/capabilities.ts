/** What a model can do, as its server reports it; never guessed from its name (A6). */

export type ModelCapabilities = {
  /** Whether the model has native tool calls; if not, it is taught a dialect. */
  tools: boolean;
  images?: boolean | undefined;
  reasoning?: boolean | undefined;
  /** The whole context window in tokens, if known. */
  contextTokens?: number | undefined;
  /** The model's chat template, if the server reveals it. */
  template?: string | undefined;
};

/** A model as a server lists it. */
export type ListedModel = { id: string; contextTokens?: number | undefined };
