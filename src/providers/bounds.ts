/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, milliseconds } from "../base/bound.ts";

/** Asking models */
export const providerBounds = {
  localSilence: milliseconds(
    600_000,
    "silence of a model server on this machine, before or during its answer, and the time in which a server loads its model",
    "the answer has failed, and may be requested again; the model is not opened, with the server's own words",
  ),
  selfDescription: milliseconds(
    3_000,
    "wait for what a model server says of itself: its version, the sizes of its models, the forms it holds them to",
    "it counts as not known",
  ),
} satisfies Area;
