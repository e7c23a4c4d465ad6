/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, characters, count, kib, mib } from "../../base/bound.ts";

/** Words of a workspace's command that may name files it runs. */
export const mostFileNames = 2_000;

/** Files that a command runs */
export const ranFileBounds = {
  code: bytes(16 * mib, "a file of the workspace that a hook runs", "the hook is not trusted"),
  line: characters(16_000, "a command line of a workspace", "it cannot be approved, and people are told"),
  counted: count(
    1_000,
    "files covered by the approval of one command",
    "it cannot be approved, and people are told",
  ),
  steps: count(
    8,
    "steps from a workspace's command to a file that it runs indirectly (a script in package.json, a sourced file)",
    "files further away are not covered, and people are told",
  ),
  followed: count(
    200,
    "files examined for what they run, for one command",
    "what the rest run is not covered, and people are told",
  ),
  followedText: bytes(
    64 * kib,
    "a file examined for what it runs",
    "what it runs is not covered, and people are told",
  ),
  countedBytes: bytes(
    32 * mib,
    "all files covered by the approval of one command",
    "it cannot be approved, and people are told",
  ),
} satisfies Area;
