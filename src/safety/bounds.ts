/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, characters, kib } from "../base/bound.ts";

/**
 * A text that a command line assembles in a variable or file, as far as it is traced, in characters: a value can double
 * with each assignment.
 */
export const mostFollowedText = 64 * kib;
/** Directories that a command deletes, checked for nested repositories. */
export const mostJudgedDirectories = 1_000;

/** Judging commands */
export const judgingBounds = {
  lineText: characters(
    64 * kib,
    "a command line that can be judged",
    "a person is asked; one that a workspace brings along cannot be approved",
  ),
} satisfies Area;
