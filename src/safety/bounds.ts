/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib } from "../base/bound.ts";

/** Judging commands */
export const judgingBounds = {
  lineText: {
    of: "a command line that can be judged",
    most: 64 * kib,
    unit: "characters",
    beyond: "a person is asked",
  },
  followedText: {
    of: "a text that a command line assembles in a variable or file, as far as it is traced",
    most: 64 * kib,
    unit: "characters",
    beyond: "its content counts as unknown",
  },
  judgedNames: {
    of: "directory entries that a command's patterns may match, checked for links that lead elsewhere",
    most: 10_000,
    unit: "count",
    beyond: "the command does not count as read-only, and the rest are not reported",
  },
  judgedDirectories: {
    of: "directories that a command deletes, checked for nested repositories",
    most: 1_000,
    unit: "count",
    beyond: "directories below are not reported",
  },
} satisfies Area;
