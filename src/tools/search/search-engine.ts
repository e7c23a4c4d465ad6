/** The interface of a line search: ripgrep or the built-in fallback. Both must find the same. */

import { type Expected, refuse } from "../../base/expected.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";

export type SearchQuery = {
  /** A regular expression in the syntax of ripgrep's default engine, or plain text if `literal`. */
  pattern: string;
  literal: boolean;
  ignoreCase: boolean;
};

/** The matching line numbers of a file, from 1, in order; at most `mostHitsInFile`. */
export type FileHits = { path: string; lines: number[] };

/**
 * Searches the given files of `tree`; results may come in any order. Each line is matched separately, without its
 * ending. An unusable pattern gives a one-line problem.
 */
export type SearchEngine = (
  query: SearchQuery,
  where: { tree: Tree; files: readonly string[]; signal: AbortSignal },
) => Promise<Expected<FileHits[]>>;

export const mostHitsInFile = 201;

export function badPattern(because: string): Expected<never> {
  return refuse(
    `The pattern is not a valid regular expression: ${because}. Mend it, or set \`literal\` to search for the text itself.`,
  );
}
