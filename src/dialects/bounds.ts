/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, mib } from "../base/bound.ts";

/** Calls written as text */
export const textCallBounds = {
  callText: {
    of: "one call written as text",
    most: 8 * mib,
    unit: "characters",
    beyond: "the call is rejected, and the model is told",
  },
  textCalls: {
    of: "calls written as text in one answer",
    most: 32,
    unit: "count",
    beyond: "the rest are rejected, and the model is told",
  },
} satisfies Area;

/** Chat templates of models that nobody knows */
export const templateBounds = {
  templateText: {
    of: "a chat template that is rendered",
    most: mib / 4,
    unit: "characters",
    beyond: "the dialect is chosen without it",
  },
  templateTime: {
    of: "rendering a chat template",
    most: 3_000,
    unit: "milliseconds",
    beyond: "it is ended, and the dialect is chosen without it",
  },
  templateMemory: {
    of: "memory for rendering a chat template",
    most: 64 * mib,
    unit: "bytes",
    beyond: "it is ended, and the dialect is chosen without it",
  },
  templateOutput: {
    of: "rendered conversations of a chat template",
    most: mib,
    unit: "bytes",
    beyond: "it is ended, and the dialect is chosen without it",
  },
} satisfies Area;
