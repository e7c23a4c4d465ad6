/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, characters, count, mib, milliseconds } from "../base/bound.ts";

/** Calls written as text */
export const textCallBounds = {
  callText: characters(8 * mib, "one call written as text", "the call is rejected, and the model is told"),
  textCalls: count(32, "calls written as text in one answer", "the rest are rejected, and the model is told"),
} satisfies Area;

/** Chat templates of models that nobody knows */
export const templateBounds = {
  templateBytes: bytes(
    mib,
    "a chat template that is rendered, and what it renders",
    "the dialect is chosen without it",
  ),
  templateTime: milliseconds(
    3_000,
    "rendering a chat template",
    "it is ended, and the dialect is chosen without it",
  ),
  templateMemory: bytes(
    64 * mib,
    "memory for rendering a chat template",
    "it is ended, and the dialect is chosen without it",
  ),
} satisfies Area;
