/** The turn that runs, as its answers and calls know it. */

import type { Attributes, Context, Span } from "@opentelemetry/api";

/** The turn that runs: its span, and what it comes to. */
export type OpenTurn = {
  span: Span;
  within: Context;
  /** Milliseconds since 1970. */
  at: number;
  about: Attributes;
  model: string;
  answers: number;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  cost: number;
  /** The kind of the last answer's failure. */
  failure?: string | undefined;
};
