/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area } from "../../base/bound.ts";

/** Sessions of a host */
export const hostBounds = {
  absentPerson: {
    of: "time for which a person who left still counts as present (a page may be reloading)",
    most: 15_000,
    unit: "milliseconds",
    beyond: "with `--when-away deny`, requests for approval are denied",
  },
  restingSession: {
    of: "idle time of a session that a gateway has open",
    most: 30_000,
    unit: "milliseconds",
    beyond: "the gateway closes it, and reopens it on the next request; followers notice nothing",
  },
  restingWorkspace: {
    of: "time without an open session before a gateway releases a workspace",
    most: 600_000,
    unit: "milliseconds",
    beyond:
      "its resources are released, at the latest after as long again; its next session reads the settings afresh",
  },
  sharedPages: {
    of: "pages of a session's facts kept for followers that catch up with it at the same time",
    most: 8,
    unit: "count",
    beyond: "the oldest one is dropped, and read again for whoever still needs it",
  },
  sharedFacts: {
    of: "facts of such a page",
    most: 128,
    unit: "count",
    beyond: "they are read in pages",
  },
} satisfies Area;
