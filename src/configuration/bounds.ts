/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib } from "../base/bound.ts";

/** Configuration */
export const configurationBounds = {
  approvalTime: {
    of: "wait for an answer over the chat protocol, unless configured otherwise",
    most: 60_000,
    unit: "milliseconds",
    beyond: "the question counts as answered with no, and the client is told",
  },
  systemPrompt: {
    of: "a system prompt of your own",
    most: 256 * kib,
    unit: "bytes",
    beyond: "it is refused, and the program does not start",
  },
} satisfies Area;
