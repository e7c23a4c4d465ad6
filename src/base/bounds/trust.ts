/** Limits of the configuration that a workspace brings along, and of the record of trusted content. */

import { type Area, kib, mib } from "../bound.ts";

export const trust = {
  file: {
    of: "the file that records what is trusted of a workspace",
    most: 8 * mib,
    unit: "bytes",
    beyond: "it counts as damaged: nothing is trusted, and people are told",
  },
  agreed: {
    of: "trusted items of a workspace",
    most: 1_000,
    unit: "count",
    beyond: "the oldest must be approved again",
  },
  kept: {
    of: "approved content of one item, stored to show later differences",
    most: 32 * kib,
    unit: "characters",
    beyond: "it is not stored: people are told that the item changed, but not how",
  },
  keptAll: {
    of: "approved content of all items of a workspace, stored to show later differences",
    most: 256 * kib,
    unit: "bytes",
    beyond: "the oldest is not stored",
  },
  heldAll: {
    of: "names of the files that all trusted items of a workspace run",
    most: 4 * mib,
    unit: "characters",
    beyond: "the oldest item must be approved again",
  },
  starting: {
    of: "the time that an item waits for a command that is just being started",
    most: 2_000,
    unit: "milliseconds",
    beyond: "the item is not started, and people are told",
  },
  shownFile: {
    of: "a file that would run, as shown to a person",
    most: 64 * kib,
    unit: "bytes",
    beyond: "the rest is left out, with a note",
  },
  shown: {
    of: "all files that would run, shown together",
    most: 512 * kib,
    unit: "characters",
    beyond: "the rest is left out, with a note",
  },
  line: {
    of: "a command line of a workspace",
    most: 16_000,
    unit: "characters",
    beyond: "it cannot be approved, and people are told",
  },
  names: {
    of: "words of a workspace's command that may name files it runs",
    most: 2_000,
    unit: "count",
    beyond: "it cannot be approved, and people are told",
  },
  looks: {
    of: "places searched for files that a workspace's command may run",
    most: 20_000,
    unit: "count",
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
  waiting: {
    of: "items of a workspace waiting for approval",
    most: 1_000,
    unit: "count",
    beyond: "the rest are neither listed nor used",
  },
} as const satisfies Area;
