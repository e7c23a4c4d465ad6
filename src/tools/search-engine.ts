/** What finds lines in files: ripgrep, or our own stand-in for it. Both must find the same. */

import type { Expected } from "../base/expected.ts";
import type { Tree } from "../base/safe-fs/tree.ts";

export type SearchQuery = {
  /** A regular expression in the syntax that ripgrep's default engine has, or plain text if `literal`. */
  pattern: string;
  literal: boolean;
  ignoreCase: boolean;
};

/** Line numbers from 1, in order, of those lines of a file that match; at most `mostHitsInFile` of them. */
export type FileHits = { path: string; lines: number[] };

/**
 * Searches the given files, which are in `tree`; the order of the answer is free. Each line is searched by
 * itself, without its ending. A pattern that cannot be used is a problem in one line.
 */
export type SearchEngine = (
  query: SearchQuery,
  where: { tree: Tree; files: readonly string[]; signal: AbortSignal },
) => Promise<Expected<FileHits[]>>;

export const mostHitsInFile = 201;

export function badPattern(because: string): Expected<never> {
  return {
    ok: false,
    problem: `The pattern is not a valid regular expression: ${because}. Mend it, or set \`literal\` to search for the text itself.`,
  };
}
