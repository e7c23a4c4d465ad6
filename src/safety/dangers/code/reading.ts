/** The state of reading one piece of code, and the words that its languages share. */

import type { Word } from "../../command-line/word.ts";
import { namesIn } from "../listed.ts";
import type { Notes } from "./notes.ts";
import type { CodeLanguage, CodeToken } from "./strings.ts";
import type { Value } from "./value.ts";

export type Reader = {
  readonly tokens: readonly CodeToken[];
  at: number;
  /** Nesting depth in brackets. */
  depth: number;
  readonly language: CodeLanguage;
  readonly code: Word;
  readonly notes: Notes;
  /** What the code itself has assigned. */
  readonly names: Map<string, Value>;
};

const tokenAt = ({ tokens }: Reader, at: number, type: "sign" | "name"): string => {
  const token = tokens[at];
  return token?.type === type ? token.text : "";
};

export const signAt = (reader: Reader, at = reader.at): string => tokenAt(reader, at, "sign");

export const nameAt = (reader: Reader, at = reader.at): string => tokenAt(reader, at, "name");

/** They are skipped: the value is what follows them. */
export const keywords: ReadonlySet<string> = new Set(
  namesIn(`new await return typeof not const let var yield async export default static public private del void lambda else try throw
    raise and or if elif with is case switch global function def class finally print`),
);
