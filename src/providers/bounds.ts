/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area } from "../base/bound.ts";

/** Asking models */
export const providerBounds = {
  localSilence: {
    of: "silence of a model server on this machine, before or during its answer",
    most: 600_000,
    unit: "milliseconds",
    beyond: "the answer has failed; it may be requested again",
  },
  modelLoading: {
    of: "wait for a model server that is still loading its model",
    most: 600_000,
    unit: "milliseconds",
    beyond: "the model is not opened, with the server's own words",
  },
  selfDescription: {
    of: "wait for what a model server says of itself: its version, the sizes of its models, the forms it holds them to",
    most: 3_000,
    unit: "milliseconds",
    beyond: "it counts as not known",
  },
} satisfies Area;
