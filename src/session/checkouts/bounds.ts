/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, count, gib, mib, milliseconds, minutes } from "../../base/bound.ts";

/** Checkouts of git repositories */
export const checkoutBounds = {
  trees: count(
    100,
    "checkouts of one machine",
    "the longest unused one whose work is stored is removed, and made again when its session goes on",
  ),
  repositories: count(
    50,
    "repositories that are kept to make checkouts from",
    "the longest unused one is removed, with the branches that sessions left in it",
  ),
  repositoryBytes: bytes(
    8 * gib,
    "what is fetched of one repository, and the files of a checkout, together",
    "fetching is stopped, and the session is not created",
  ),
  treeFiles: count(500_000, "files of a checkout", "the session is not created"),
  gitTime: milliseconds(
    10 * minutes,
    "one step of git for a checkout, such as fetching a repository",
    "it is stopped, and what was asked for fails",
  ),
  keptWork: bytes(
    64 * mib,
    "the work of a checkout that is stored with its session, or taken as a patch",
    "it is not stored: the session cannot go on on another machine, and says so; a patch is refused: take a branch instead",
  ),
} satisfies Area;
