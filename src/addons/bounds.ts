/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, kib } from "../base/bound.ts";

/** Texts that users add */
export const addedTextBounds = {
  file: bytes(64 * kib, "an instruction file", "the rest is left out, and people are told"),
} satisfies Area;
