/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, minutes } from "../../base/bound.ts";

/** Hooks */
export const hookBounds = {
  output: {
    of: "output or response body of a hook that is read",
    most: 256 * kib,
    unit: "bytes",
    beyond: "the rest is not read; the hook counts as failed if that cut its answer",
  },
  context: {
    of: "text that one hook adds for the model at a time",
    most: 10_000,
    unit: "characters",
    beyond: "the rest is left out, with a note",
  },
  told: {
    of: "text of a result, diff or message that a hook is given",
    most: 64 * kib,
    unit: "characters",
    beyond: "the rest is left out, with a note",
  },
  time: {
    of: "run time of a hook; the default is 10 s",
    most: 2 * minutes,
    unit: "milliseconds",
    beyond: "it is ended, and its `onFailure` setting decides",
  },
  listed: {
    of: "hooks of a workspace, and of a user",
    most: 100,
    unit: "count",
    beyond: "further ones do not run, and people are told",
  },
} satisfies Area;
