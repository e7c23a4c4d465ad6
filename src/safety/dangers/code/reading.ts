/** The state of reading one piece of code. */

import type { Flow } from "../../command-line/word.ts";
import type { Grammar } from "./grammar.ts";
import type { Notes } from "./notes.ts";
import type { Token } from "./token.ts";
import type { Value } from "./value.ts";

export type Reader = {
  readonly tokens: readonly Token[];
  at: number;
  /** Nesting depth in brackets. */
  depth: number;
  readonly grammar: Grammar;
  readonly notes: Notes;
  /** Names that the code itself has assigned. */
  readonly names: Map<string, Value>;
  /** Data flows into the unknown parts of the code. */
  readonly carries: ReadonlySet<Flow>;
};

export const signAt = ({ tokens }: Reader, at: number): string => {
  const token = tokens[at];
  return token?.type === "sign" ? token.text : "";
};

export const nameAt = ({ tokens }: Reader, at: number): string => {
  const token = tokens[at];
  return token?.type === "name" ? token.text : "";
};
