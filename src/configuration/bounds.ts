/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, kib, milliseconds } from "../base/bound.ts";

/** Configuration */
export const configurationBounds = {
  approvalTime: milliseconds(
    60_000,
    "wait for an answer over the chat protocol, unless configured otherwise",
    "the question counts as answered with no, and the client is told",
  ),
  systemPrompt: bytes(
    256 * kib,
    "a system prompt of your own",
    "it is refused, and the program does not start",
  ),
} satisfies Area;
