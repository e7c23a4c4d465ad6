/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, mib } from "../base/bound.ts";

/** Answers of models */
export const wireBounds = {
  recentItems: {
    of: "the items of recent answers that clients of OpenAI Responses may name by their ids",
    most: 8 * mib,
    unit: "characters",
    beyond: "the oldest are forgotten, and left out where they are named",
  },
  answerBytes: {
    of: "one streamed answer",
    most: 256 * mib,
    unit: "bytes",
    beyond: "it is cut off, and the request fails",
  },
  eventText: {
    of: "one event of a streamed answer",
    most: 64 * mib,
    unit: "characters",
    beyond: "the stream cannot be read, and the answer has failed",
  },
} satisfies Area;
