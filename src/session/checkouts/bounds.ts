/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, gib, mib, minutes } from "../../base/bound.ts";

/** Checkouts of git repositories */
export const checkoutBounds = {
  trees: {
    of: "checkouts of one machine",
    most: 100,
    unit: "count",
    beyond: "the longest unused one whose work is stored is removed, and made again when its session goes on",
  },
  repositories: {
    of: "repositories that are kept to make checkouts from",
    most: 50,
    unit: "count",
    beyond: "the longest unused one is removed, with the branches that sessions left in it",
  },
  repositoryBytes: {
    of: "what is fetched of one repository",
    most: 8 * gib,
    unit: "bytes",
    beyond: "fetching is stopped, and the session is not created",
  },
  treeFiles: {
    of: "files of a checkout",
    most: 500_000,
    unit: "count",
    beyond: "the session is not created",
  },
  treeBytes: {
    of: "the files of a checkout, together",
    most: 4 * gib,
    unit: "bytes",
    beyond: "the session is not created",
  },
  gitTime: {
    of: "one step of git for a checkout, such as fetching a repository",
    most: 10 * minutes,
    unit: "milliseconds",
    beyond: "it is stopped, and what was asked for fails",
  },
  keptWork: {
    of: "the work of a checkout that is stored with its session",
    most: 64 * mib,
    unit: "bytes",
    beyond: "it is not stored: the session cannot go on on another machine, and says so",
  },
  patch: {
    of: "a session's work as a patch",
    most: 16 * mib,
    unit: "bytes",
    beyond: "it is refused: take a branch instead",
  },
} satisfies Area;
