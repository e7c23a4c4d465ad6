/** The state of the running turn, which its answers and calls share. */

import type { Attributes, Context, Span } from "@opentelemetry/api";

/** The running turn: its span and its totals. */
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
  /** The type of the last answer's failure. */
  failure?: string | undefined;
};
