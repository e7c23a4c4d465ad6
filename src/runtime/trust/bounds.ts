/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib } from "../../base/bound.ts";

/** What a workspace brings along */
export const trustBounds = {
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
  waiting: {
    of: "items of a workspace waiting for approval",
    most: 1_000,
    unit: "count",
    beyond: "the rest are neither listed nor used",
  },
} satisfies Area;
