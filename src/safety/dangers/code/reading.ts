/** Where the reading of one piece of code stands. */

import type { Flow } from "../../command-line/word.ts";
import type { Grammar } from "./grammar.ts";
import type { Notes } from "./notes.ts";
import type { Token } from "./token.ts";
import type { Value } from "./value.ts";

export type Reader = {
  readonly tokens: readonly Token[];
  at: number;
  /** How many brackets it stands in. */
  depth: number;
  readonly grammar: Grammar;
  readonly notes: Notes;
  /** What the code itself has given names to. */
  readonly names: Map<string, Value>;
  /** What flows into the unknown parts of the code. */
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
