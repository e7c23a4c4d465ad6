/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, mib } from "../base/bound.ts";

/** Answers of models */
export const wireBounds = {
  answerBytes: bytes(256 * mib, "one streamed answer", "it is cut off, and the request fails"),
} satisfies Area;
