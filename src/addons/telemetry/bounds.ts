/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib } from "../../base/bound.ts";

/** Telemetry */
export const telemetryBounds = {
  content: {
    of: "one text of the conversation in telemetry, if contents are enabled",
    most: 64 * kib,
    unit: "characters",
    beyond: "the rest is left out",
  },
} satisfies Area;
