/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, milliseconds } from "../base/bound.ts";

/** Configuration */
export const configurationBounds = {
  approvalTime: milliseconds(
    60_000,
    "wait for an answer over the chat protocol, unless configured otherwise",
    "the question counts as answered with no, and the client is told",
  ),
} satisfies Area;
