/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib } from "../../base/bound.ts";

/** Telemetry */
export const telemetryBounds = {
  content: {
    of: "one text of the conversation in telemetry, if contents are enabled",
    most: 64 * kib,
    unit: "characters",
    beyond: "the rest is left out",
  },
  load: {
    of: "loading of the module that sets up telemetry",
    most: 10_000,
    unit: "milliseconds",
    beyond: "there is no telemetry, and a warning says so",
  },
  flush: {
    of: "time for exporting telemetry when a run ends",
    most: 3_000,
    unit: "milliseconds",
    beyond: "the rest is lost",
  },
  delegating: {
    of: "running calls whose place in a trace is remembered, in case they start other sessions",
    most: 1_000,
    unit: "count",
    beyond: "the oldest are forgotten: their sessions become separate traces",
  },
} satisfies Area;
