/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, characters, kib } from "../../base/bound.ts";

/** Telemetry */
export const telemetryBounds = {
  content: characters(
    64 * kib,
    "one text of the conversation in telemetry, if contents are enabled",
    "the rest is left out",
  ),
} satisfies Area;
