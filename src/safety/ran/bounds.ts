/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib } from "../../base/bound.ts";

/** Words of a workspace's command that may name files it runs. */
export const mostFileNames = 2_000;

/** Files that a command runs */
export const ranFileBounds = {
  code: {
    of: "a file of the workspace that a hook runs",
    most: 16 * mib,
    unit: "bytes",
    beyond: "the hook is not trusted",
  },
  line: {
    of: "a command line of a workspace",
    most: 16_000,
    unit: "characters",
    beyond: "it cannot be approved, and people are told",
  },
  counted: {
    of: "files covered by the approval of one command",
    most: 1_000,
    unit: "count",
    beyond: "it cannot be approved, and people are told",
  },
  steps: {
    of: "steps from a workspace's command to a file that it runs indirectly (a script in package.json, a sourced file)",
    most: 8,
    unit: "count",
    beyond: "files further away are not covered, and people are told",
  },
  followed: {
    of: "files examined for what they run, for one command",
    most: 200,
    unit: "count",
    beyond: "what the rest run is not covered, and people are told",
  },
  followedText: {
    of: "a file examined for what it runs",
    most: 64 * kib,
    unit: "bytes",
    beyond: "what it runs is not covered, and people are told",
  },
  countedBytes: {
    of: "all files covered by the approval of one command",
    most: 32 * mib,
    unit: "bytes",
    beyond: "it cannot be approved, and people are told",
  },
} satisfies Area;
