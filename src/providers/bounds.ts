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
} satisfies Area;
