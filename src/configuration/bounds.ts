/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import type { Area } from "../base/bound.ts";

/** Configuration */
export const configurationBounds = {
  approvalTime: {
    of: "wait for an answer over the chat protocol, unless configured otherwise",
    most: 60_000,
    unit: "milliseconds",
    beyond: "the question counts as answered with no, and the client is told",
  },
} satisfies Area;
