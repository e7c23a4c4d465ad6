/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, count, kib, mib } from "../../base/bound.ts";

/** Words of a workspace's command that may name files it runs. */
export const mostFileNames = 2_000;

/** Files that a command runs */
export const ranFileBounds = {
  counted: count(
    1_000,
    "files covered by the approval of one command",
    "it cannot be approved, and people are told",
  ),
  followed: count(
    200,
    "files examined for what they run, for one command",
    "what the rest run is not covered, and people are told",
  ),
  followedText: bytes(
    64 * kib,
    "a file examined for what it runs, and as shown to a person",
    "what it runs is not covered, and the rest is not shown; people are told",
  ),
  countedBytes: bytes(
    32 * mib,
    "all files covered by the approval of one command",
    "it cannot be approved, and people are told",
  ),
} satisfies Area;
